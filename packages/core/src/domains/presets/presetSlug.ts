/** What a preset may be called. */

export const slugPattern = /^[a-z0-9][a-z0-9_-]{0,63}$/

/** What a slug must be; completes “expected …”. */
export const slugForm =
  "1 to 64 lower-case letters, digits, hyphens and underscores, of which the first is a letter or a digit"

export const isPresetSlug = (text: string): boolean => slugPattern.test(text)
