/** Tests of an upstream that passes requests and answers of OpenAI's API on unchanged. */
import { expect, test } from "vitest"
import { type ChatHarness, makeCall, messages, writtenParameters } from "./ChatHarness.ts"

export const testChatDialect = (start: () => Promise<ChatHarness>): void => {
  test("sends messages and parameters of any names unchanged", async () => {
    await using instance = await start()
    const call = makeCall(instance.call.model, { parameters: writtenParameters })
    await instance.complete(call)
    await instance.stream(call)
    expect(instance.provider.requests).toHaveLength(2)
    for (const { body, model, raw } of instance.provider.requests) {
      expect(model).toBe(instance.call.model)
      expect(body).toMatchObject({
        messages,
        temperature: 0.25,
        max_tokens: 50
      })
      expect(raw).toContain('"__proto__":{"polluted":true}')
      expect(raw).toContain('{"type":"function","function":{"name":"__proto__"}}')
    }
    expect(instance.provider.requests[1]?.body).toMatchObject({ stream: true })
  })
}
