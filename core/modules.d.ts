/** Types of packages without their own: the parts that are used of web-push and workerd. */
declare module 'web-push' {
  interface Subscription {
    endpoint: string
    keys: { p256dh: string; auth: string }
  }

  interface Options {
    vapidDetails: { subject: string; publicKey: string; privateKey: string }
    /** Seconds for which a push service keeps the message. */
    TTL: number
    urgency: 'very-low' | 'low' | 'normal' | 'high'
  }

  const webPush: {
    /** Keys as base64url. */
    generateVAPIDKeys(): { publicKey: string; privateKey: string }
    /** Encrypts (RFC 8291) and signs (RFC 8292) a message without sending it. */
    generateRequestDetails(
      subscription: Subscription,
      payload: string,
      options: Options,
    ): { headers: Record<string, string>; body: Buffer }
  }
  export default webPush
}

/** The default export of the package is the path of the program. */
declare module 'workerd' {
  const workerd: { default: string }
  export default workerd
}
