/** How often processes are killed: MIEN_KILL_ROUNDS times at any moment, and at each named step once in 25 of these, 20 times at most. */

export const KILL_ROUNDS = Number(process.env.MIEN_KILL_ROUNDS ?? 5)

export const STEP_ROUNDS = Math.max(1, Math.min(20, Math.floor(KILL_ROUNDS / 25)))
