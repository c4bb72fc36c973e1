import { expect, test } from "vitest"
import { formatUsage } from "../../app/format/formatUsage.ts"

const none = { characters: null, audio_seconds: null, output_images: null }
const noTokens = { tokens_prompt: 0, tokens_completion: 0 }

test.each([
  [null, "–"],
  [{ ...none, tokens_prompt: 9, tokens_completion: 3 }, "9 + 3"],
  [{ ...none, ...noTokens }, "0 + 0"],
  [{ ...none, ...noTokens, characters: 8 }, "8 characters"],
  [{ ...none, ...noTokens, audio_seconds: 1.5 }, "1.50 s"],
  [{ ...none, ...noTokens, output_images: 1 }, "1 image"],
  [{ ...none, tokens_prompt: 9, tokens_completion: 1_056, output_images: 2 }, "9 + 1,056, 2 images"]
])("the use of %j", (usage, text) => expect(formatUsage(usage)).toBe(text))
