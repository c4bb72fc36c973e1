/** Use cases a model is listed under. Source: interface specification, model catalog. */
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
