/** Masks a secret: shows nine characters, fewer of a short secret, and no characters of one below 16. */
export const maskSecret = (secret: string): string => {
  if (secret.length < 16) return "***"
  const shown = Math.min(9, Math.floor(secret.length / 4))
  const last = Math.floor(shown / 3)
  return `${secret.slice(0, shown - last)}...${secret.slice(-last)}`
}
