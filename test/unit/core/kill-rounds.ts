/** Numbers of kills: MIEN_KILL_ROUNDS at random moments, and a 25th of that at each named step, 1 to 20. */

export const KILL_ROUNDS = Number(process.env.MIEN_KILL_ROUNDS ?? 5)

export const STEP_ROUNDS = Math.max(1, Math.min(20, Math.floor(KILL_ROUNDS / 25)))
