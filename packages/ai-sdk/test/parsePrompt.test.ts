import { expect, it } from "vitest"
import { CallWarnings } from "../src/provider/CallWarnings.ts"
import { parsePrompt } from "../src/provider/parsePrompt.ts"

const format = "anthropic-claude-v1"

it("a signature that followed the text went back as reasoning of its own", () => {
  const turns = parsePrompt(
    [
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "Hm.", providerOptions: { signalbox: { format } } },
          { type: "text", text: "Calm." },
          {
            type: "reasoning",
            text: "",
            providerOptions: { signalbox: { format, signature: "s" } }
          }
        ]
      }
    ],
    new CallWarnings()
  )
  expect(turns).toEqual([
    {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "Hm.", format, signature: "s" },
        { type: "text", text: "Calm." }
      ]
    }
  ])
})
