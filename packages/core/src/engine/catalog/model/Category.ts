/** Use cases that models are listed under. */
export const categories = [
  "programming",
  "roleplay",
  "marketing",
  "marketing/seo",
  "technology",
  "science",
  "translation",
  "legal",
  "finance",
  "health",
  "trivia",
  "academia"
] as const
export type Category = (typeof categories)[number]
