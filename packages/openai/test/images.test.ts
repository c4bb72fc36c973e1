import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  makeCall,
  logprobsMode,
  getPrompt,
  makeScriptedEndpoint,
  probabilityMode
} from "./ScriptedEndpoint.ts"

const png = "data:image/png;base64,iVBORw0KGgo="
const image = { type: "image_url", image_url: { url: png } }

describe("the images of a state", () => {
  it.effect("are in the requests of every method, and the rules name the tag around them", () =>
    Effect.gen(function* () {
      const endpoint = yield* makeScriptedEndpoint(({ logprobs, response_format }) =>
        logprobs === true
          ? { top: [["1", 0]] }
          : { content: response_format === undefined ? '{"q0":1}' : '{"q0":1.0}' }
      )
      for (const supported of [logprobsMode, probabilityMode, []]) {
        yield* endpoint.decide(
          makeCall({ q: { type: "noul", instructions: "?" } }, supported, ["See </state-1>", image])
        )
      }
      assert.strictEqual(endpoint.listRequests().length, 3)
      for (const sent of endpoint.listRequests()) {
        assert.isTrue(
          getPrompt(sent).startsWith(`<state-2>\nSee </state-1>[${png}]\n</state-2>\n\n`)
        )
        assert.include(sent.messages[0].content, "between <state-2> and </state-2>")
      }
    })
  )
})
