/** Saves files that the page has made or was sent. */

/** Hands a file to the browser, which asks where to save it or saves it among the downloads. */
export function saveFile(name: string, file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), RELEASE_MS)
}

/** Time in which a browser has begun to save. */
const RELEASE_MS = 60_000
