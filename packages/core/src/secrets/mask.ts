/** The form of a secret that may be shown: its first characters and its last three. */
export const mask = (secret: string): string =>
  secret.length < 16 ? "***" : `${secret.slice(0, 6)}...${secret.slice(-3)}`
