/** Written by scripts/writePrices.ts; the data are those of https://models.dev (MIT). */
import type { PriceBook } from "@signalbox/core/catalog"
import { amazonBedrock } from "./amazon-bedrock.ts"
import { anthropic } from "./anthropic.ts"
import { cerebras } from "./cerebras.ts"
import { deepinfra } from "./deepinfra.ts"
import { deepseek } from "./deepseek.ts"
import { fireworksAi } from "./fireworks-ai.ts"
import { google } from "./google.ts"
import { googleVertex } from "./google-vertex.ts"
import { groq } from "./groq.ts"
import { mistral } from "./mistral.ts"
import { moonshotai } from "./moonshotai.ts"
import { openai } from "./openai.ts"
import { togetherai } from "./togetherai.ts"
import { xai } from "./xai.ts"

export const providers: PriceBook["providers"] = {
  "amazon-bedrock": amazonBedrock,
  "anthropic": anthropic,
  "cerebras": cerebras,
  "deepinfra": deepinfra,
  "deepseek": deepseek,
  "fireworks-ai": fireworksAi,
  "google": google,
  "google-vertex": googleVertex,
  "groq": groq,
  "mistral": mistral,
  "moonshotai": moonshotai,
  "openai": openai,
  "togetherai": togetherai,
  "xai": xai
}
