/** Tests of an upstream that translates chats to another API. */
import { expect, test } from "vitest"
import {
  type ChatHarness,
  getFailure,
  makeCall,
  messages,
  writtenParameters
} from "./ChatHarness.ts"

export const testTranslation = (start: () => Promise<ChatHarness>): void => {
  test("sends what was said, the cap and the tools in the words of the API", async () => {
    await using instance = await start()
    const call = makeCall(instance.call.model, { parameters: writtenParameters })
    await instance.complete(call)
    await instance.stream(call)
    expect(instance.provider.requests).toHaveLength(2)
    for (const { model, raw } of instance.provider.requests) {
      expect(model).toBe(instance.call.model)
      for (const text of ["You keep a lighthouse.", "Is all wéll?", "50"]) {
        expect(raw).toContain(text)
      }
      expect(raw).toContain('"name":"__proto__"')
    }
  })

  test("refuses what the API cannot say, and sends nothing", async () => {
    await using instance = await start()
    const unpaired = { role: "tool", tool_call_id: "call_1", content: "Nobody asked." }
    const request = makeCall(instance.call.model, { messages: [...messages, unpaired] })
    const refused = { kind: "unsupported_parameter", detail: expect.stringContaining("call_1") }
    expect(getFailure(await instance.complete(request))).toMatchObject(refused)
    expect(await instance.stream(request)).toMatchObject({ events: [], failure: refused })
    expect(instance.provider.requests).toEqual([])
  })
}
