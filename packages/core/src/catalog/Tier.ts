/** Service tiers: endpoints of a tier serve those who ask for it. Source: semantics A2. */
export type Tier = "default" | "flex" | "priority"

/** `openai/flex` is of the flex tier unless the host says otherwise. */
export const tierOfVariant = (variant: string | undefined): Tier =>
  variant === "flex" || variant === "priority" ? variant : "default"
