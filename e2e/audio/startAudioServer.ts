/** An instance whose two providers speak and transcribe; the first is tried first. */
import type { Options } from "@signalbox/core"
import { openai } from "@signalbox/openai"
import { Signalbox } from "@signalbox/node"
import { ScriptedUpstream } from "@signalbox/testing"
import { onTestFinished } from "vitest"
import { findCredits } from "../support/findCredits.ts"
import { type Host, nodeHost } from "../support/hosts.ts"
import { send, type SendOptions } from "../support/send.ts"
import { keys } from "../support/TestServer.ts"

export interface AudioServerOptions extends Pick<
  Options,
  "credits" | "authenticate" | "hedging" | "settings" | "stores" | "strategy"
> {
  readonly host?: Host
  /** Where the first provider is, by the URL of its server; default: there. */
  readonly toFirstUrl?: (url: string) => string | Promise<string>
  /** Whether the first provider has a certificate that nobody trusts. */
  readonly tls?: boolean
}

const speechPrice = { character: "0.000015" }
const secondPrice = { second: "0.0001" }

export const startAudioServer = async ({
  host = nodeHost,
  tls = false,
  toFirstUrl = (url) => url,
  ...options
}: AudioServerOptions = {}) => {
  const first = await ScriptedUpstream.start({ tls })
  const second = await ScriptedUpstream.start()
  const slugs = ["first", "second"]
  const toEndpoints = (price: object) => slugs.map((provider) => ({ provider, price }))
  const urls = [await toFirstUrl(first.url), second.url]
  const instance = await Signalbox.make({
    upstreams: slugs.map((slug, index) =>
      openai({ slug, name: slug, baseUrl: `${urls[index]}/v1`, apiKey: `sk-at-upstream-${slug}` })
    ),
    models: [
      { id: "proof/tts", endpoints: toEndpoints(speechPrice) },
      { id: "proof/stt", endpoints: toEndpoints(secondPrice) },
      { id: "proof/chat", endpoints: toEndpoints({ prompt: "0.000001", completion: "0" }) }
    ],
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" }
    ],
    ...options
  })
  const running = await host.start(instance, "/ai")
  onTestFinished(async () => {
    await running.close()
    await instance.close()
    await first.close()
    await second.close()
  })
  const root = `${running.origin}/ai/api/v1`
  const call = (path: string, sending: SendOptions & { readonly key?: string } = {}) => {
    const { headers, key = keys.member, ...rest } = sending
    return send(root + path, {
      ...rest,
      headers: {
        "content-type": "application/json",
        ...(key === "" ? undefined : { authorization: `Bearer ${key}` }),
        ...headers
      }
    })
  }
  const post = (
    path: string,
    body: unknown,
    sending: SendOptions & { readonly key?: string } = {}
  ) => call(path, { body: JSON.stringify(body), ...sending })
  return {
    instance,
    root,
    first,
    second,
    call,
    post,
    speak: (changes: Readonly<Record<string, unknown>> = {}, sending: SendOptions = {}) =>
      post("/audio/speech", { ...speechRequest, ...changes }, sending),
    transcribe: (changes: Readonly<Record<string, unknown>> = {}, sending: SendOptions = {}) =>
      post("/audio/transcriptions", { ...transcriptionRequest, ...changes }, sending),
    getCredits: () => findCredits(instance),
    /** Sends a form as browsers write it. */
    sendForm: async (
      parts: ReadonlyArray<readonly [string, string | Blob, string?]>,
      headers: Readonly<Record<string, string>> = {},
      key: string = keys.member
    ) => {
      const form = new FormData()
      for (const [name, value, filename] of parts) {
        if (typeof value === "string") form.append(name, value)
        else form.append(name, value, filename)
      }
      const request = new Request("http://localhost", { method: "POST", body: form })
      return call("/audio/transcriptions", {
        body: new Uint8Array(await request.arrayBuffer()),
        headers: { "content-type": request.headers.get("content-type")!, ...headers },
        key
      })
    },
    getRecord: async (id: string | undefined) => {
      const { body } = await call(`/generation?id=${id}`, { method: "GET", key: keys.management })
      return body
    }
  }
}

const order = { provider: { order: ["first", "second"] } }

export const speechRequest = {
  model: "proof/tts",
  input: "Hello 🎬!",
  voice: "alloy",
  response_format: "mp3",
  ...order
}

/** A WAV file of silence, of 16,000 samples of one byte a second. */
export const wavOf = (seconds: number): Uint8Array<ArrayBuffer> => {
  const samples = seconds * 16_000
  const bytes = new Uint8Array(44 + samples)
  const view = new DataView(bytes.buffer)
  bytes.set(Buffer.from("RIFF"), 0)
  view.setUint32(4, 36 + samples, true)
  bytes.set(Buffer.from("WAVEfmt "), 8)
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, 16_000, true)
  view.setUint32(28, 16_000, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  bytes.set(Buffer.from("data"), 36)
  view.setUint32(40, samples, true)
  return bytes
}

export const transcriptionRequest = {
  model: "proof/stt",
  input_audio: { data: Buffer.from(wavOf(2)).toString("base64"), format: "wav" },
  ...order
}
