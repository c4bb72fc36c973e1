/** Tests of an upstream that passes requests and answers of OpenAI's API on unchanged. */
import { expect, test } from "vitest"
import { type ChatHarness, writtenParameters } from "./ChatHarness.ts"

export const testChatDialect = (start: () => Promise<ChatHarness>): void => {
  test("sends messages and parameters unchanged, whatever their names", async () => {
    await using instance = await start()
    await instance.complete({ ...instance.call, parameters: writtenParameters })
    await instance.stream({ ...instance.call, parameters: writtenParameters })
    expect(instance.provider.requests).toHaveLength(2)
    for (const { body, model, raw } of instance.provider.requests) {
      expect(model).toBe(instance.call.model)
      expect(body).toMatchObject({
        messages: instance.call.messages,
        temperature: 0.25,
        max_tokens: 50
      })
      expect(raw).toContain('"__proto__":{"polluted":true}')
      expect(raw).toContain('{"type":"function","function":{"name":"__proto__"}}')
    }
    expect(instance.provider.requests[1]?.body).toMatchObject({ stream: true })
  })
}
