/** The requests that servers are compared by. */
import { decisionRequest } from "../decisionRequest.ts"

/** Events of a streamed answer. */
export const streamEvents = 100

/** Its name tells the upstream how to answer. */
export const chatModels = ["bench/whole", "bench/apart", "bench/together", "bench/failing"] as const

export const voiceModel = "bench/voice"

/** A streamed chat that says it has its first events and stays open. */
export const idleMark = "Stay on the line."

/** Speech, of which nothing but the first byte is measured. */
export const speech = {
  path: "/api/v1/audio/speech",
  body: JSON.stringify({
    model: voiceModel,
    input: "What is a lighthouse for? ".repeat(10),
    voice: "alloy",
    response_format: "mp3"
  })
}

const makeChat = (
  model: (typeof chatModels)[number],
  content = "What is a lighthouse for? ".repeat(10)
) => ({
  path: "/api/v1/chat/completions",
  body: JSON.stringify({
    model,
    messages: [
      { role: "system", content: "You are brief." },
      { role: "user", content }
    ],
    ...(model === "bench/whole" ? undefined : { stream: true })
  })
})

export const workloads = {
  decision: { path: "/api/alpha/decisions", body: JSON.stringify(decisionRequest) },
  /** Answered whole. */
  chat: makeChat("bench/whole"),
  /** Streamed, an event a millisecond. */
  apart: makeChat("bench/apart"),
  /** Streamed, and never ended. */
  idle: makeChat("bench/apart", idleMark),
  /** Streamed as fast as it is read, eight events in a write. */
  together: makeChat("bench/together")
}

export type WorkloadName = keyof typeof workloads

/** The bytes of an HTTP request. */
export const toRequestBytes = (
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = { authorization: "Bearer sk-bench" },
  method = "POST"
): Buffer => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: bench\r\n${lines.join("")}content-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}
