/** The address of a stream as the list shows it. */

/** Without its user name and password, which people around the screen could read. */
export const shownUrl = (url: string): string => url.replace(/^([a-z][\w+.-]*:\/\/)[^/?#]*@/i, '$1')
