/** The announcement of core's pack in its responses: which networks edges detect faces with. */

/** Header of responses: start of the core in Unix milliseconds, and id of its vision file (models/vision-file.ts). */
export const PACK_HEADER = 'x-mien-pack'

export interface PackAnnouncement {
  started: number
  id: string
}

export const announcement = ({ started, id }: PackAnnouncement): string => `${started} ${id}`

/** Undefined without a valid header. */
export function readAnnouncement(header: string | null): PackAnnouncement | undefined {
  const [, started, id] = /^(\d{1,15}) ([0-9a-f]{64})$/.exec(header ?? '') ?? []
  return id === undefined ? undefined : { started: Number(started), id }
}
