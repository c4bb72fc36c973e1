/**
 * Measures the longest time that one request blocks the event loop, compared with one decode and parse of the same text:
 * bodies of 1 MiB and 16 MiB in valid but expensive forms, and large answers of the provider, whole and in one event, over
 * HTTP. The goal is beside each: 20 ms up to 1 MiB, then 1.5 times the decode and parse. Client and upstream run in another process. Each line
 * is the minimum of the rounds, because other processes only add time.
 *
 * Usage: node bench/stall.ts [rounds] [a part of the names to measure]
 */
import { fork } from "node:child_process"
import { createServer, request } from "node:http"
import { signalbox, Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { findWorst, report } from "./goals.ts"
import { startListener } from "./startListener.ts"

const [rounds = "5", only = ""] = process.argv.slice(2)
const mebibyte = 1_048_576
const key = "sk-bench"
/** The key of a customer at the provider, which is redacted from answers. */
const credential = "sk-customer-0123456789abcdefghijklmnop"

interface Shape {
  readonly name: string
  readonly path: "/api/alpha/decisions" | "/api/v1/chat/completions"
  readonly body: () => string
  /** Characters of the provider's answer, which is sent at once; default: a short one. */
  readonly answer?: number
}

/** A list of as many items as fit into this many bytes. */
const makeList = (bytes: number, item: (index: number) => string, most = Infinity): string => {
  const items: Array<string> = []
  for (let room = bytes - 2; room > 0 && items.length < most;) {
    const next = item(items.length)
    room -= next.length + 1
    if (room > 0) items.push(next)
  }
  return `[${items.join(",")}]`
}
const makeObject = (bytes: number, item: (index: number) => string, most?: number): string =>
  `{${makeList(bytes, item, most).slice(1, -1)}}`

const noul = '{"q":{"type":"noul","instructions":"Is it?"}}'
const image = '{"type":"image_url","image_url":{"url":"https://images.example/a.png"}}'
const makeDecisionShape = (
  name: string,
  state: () => string,
  questions = () => noul,
  model = "bench/judge"
): Shape => ({
  name: `decision: ${name}`,
  path: "/api/alpha/decisions",
  body: () => `{"model":"${model}","state":${state()},"questions":${questions()}}`
})
const makeChatShape = (name: string, messages: () => string, rest = ""): Shape => ({
  name: `chat: ${name}`,
  path: "/api/v1/chat/completions",
  body: () => `{"model":"bench/judge","messages":${messages()}${rest}}`
})
/** Chats whose answers are large, in one piece or in one event, with and without redaction of a customer's credential. */
const makeAnswerShapes = (
  name: string,
  answer: number,
  model: string,
  kinds = ["whole", "streamed"]
): ReadonlyArray<Shape> =>
  kinds.map((kind) => ({
    name: `answer: ${name}, ${kind}`,
    path: "/api/v1/chat/completions",
    body: () =>
      `{"model":"${model}","messages":[${makeMessage('"x"')}],"stream":${kind === "streamed"}}`,
    answer
  }))
const makeMessage = (text: string): string => `{"role":"user","content":${text}}`
const makeText = (bytes: number, unit = "The lamp came, and it was broken. "): string =>
  JSON.stringify(
    unit.repeat(Math.floor(bytes / Buffer.byteLength(JSON.stringify(unit).slice(1, -1))))
  )

const fit = mebibyte - 400
const large = 16 * mebibyte - 400
const appendImage = (list: string): string => `[${image},${list.slice(1)}`
const makeChoice = (labels: string): string =>
  `{"q":{"type":"choice","instructions":"Which?","criteria":${labels}}}`
const makeScore = (levels: string): string =>
  `{"q":{"type":"score","instructions":"How?","criteria":${levels}}}`

const shapes: ReadonlyArray<Shape> = [
  makeDecisionShape("text, 1 MiB", () => makeText(fit)),
  makeDecisionShape("text with quotes, 1 MiB", () => makeText(fit, '\\"')),
  makeDecisionShape("text of two bytes a character, 1 MiB", () => makeText(fit, "é日")),
  makeDecisionShape("100,000 numbers in a list, 1 MiB", () =>
    makeList(fit, (i) => `${i}.12345`, 100_000)
  ),
  makeDecisionShape("numbers in an object, 1 MiB", () => `{"a":${makeList(fit, () => "1")}}`),
  makeDecisionShape("large numbers, 1 MiB", () => `{"a":${makeList(fit, () => "1e20")}}`),
  makeDecisionShape("empty texts, 1 MiB", () => `{"a":${makeList(fit, () => '""')}}`),
  makeDecisionShape("19,900 keys", () =>
    makeObject(fit, (i) => `"${"k".repeat(40)}${i}":1`, 19_900)
  ),
  makeDecisionShape("9,900 objects of a key each", () =>
    makeList(fit, (i) => `{"k${i}":1}`, 9_900)
  ),
  makeDecisionShape("19,900 empty lists", () => makeList(fit, () => "[]", 19_900)),
  makeDecisionShape("text that looks like a fence, 1 MiB", () =>
    makeText(fit, "state-1 state-22 ")
  ),
  makeDecisionShape("an image and 99,000 texts", () =>
    appendImage(makeList(fit, () => '"abcdef"', 99_000))
  ),
  makeDecisionShape(
    "1,000 labels",
    () => '"x"',
    () => makeChoice(makeObject(fit, (i) => `"label ${i}":"${"g".repeat(900)}"`, 1_000))
  ),
  makeDecisionShape(
    "1,000 levels",
    () => '"x"',
    () => makeScore(makeList(fit, (i) => `"level ${i}${"g".repeat(900)}"`, 1_000))
  ),
  makeDecisionShape(
    "250 questions of 20 labels",
    () => '"x"',
    () =>
      makeObject(
        fit,
        (q) =>
          `"q${q}":${makeChoice(makeObject(4_000, (i) => `"label ${i}":"${"g".repeat(100)}"`, 20)).slice(5, -1)}`,
        250
      )
  ),
  makeDecisionShape(
    "250 questions by logprobs, a state of 900 KiB",
    () => makeText(900_000),
    () => makeObject(fit, (q) => `"q${q}":{"type":"noul","instructions":"Is it?"}`, 250),
    "bench/logprobs"
  ),
  makeChatShape("2,000 messages, 1 MiB", () =>
    makeList(
      fit,
      (i) => makeMessage(`[{"type":"text","text":"message ${i} ${"x".repeat(430)}"}]`),
      2_000
    )
  ),
  makeChatShape("5,000 messages, 1 MiB", () =>
    makeList(
      fit,
      (i) => makeMessage(`[{"type":"text","text":"message ${i} ${"x".repeat(100)}"}]`),
      5_000
    )
  ),
  makeChatShape(
    "900 tools, 39,000 nodes",
    () => `[${makeMessage('"x"')}]`,
    `,"tools":${makeList(fit, (i) => `{"type":"function","function":{"name":"f${i}","parameters":${makeObject(4_000, (j) => `"p${i}_${j}":1`, 37)}}}`, 900)}`
  ),
  makeChatShape("text, 1 MiB", () => `[${makeMessage(makeText(fit))}]`),
  makeChatShape("text, 16 MiB", () => `[${makeMessage(makeText(large))}]`),
  makeChatShape(
    "text of two bytes a character, 16 MiB",
    () => `[${makeMessage(makeText(large, "é日"))}]`
  ),
  makeChatShape(
    "an image of 16 MiB",
    () =>
      `[${makeMessage(`[{"type":"image_url","image_url":{"url":"data:image/png;base64,${"A".repeat(large - 200)}"}}]`)}]`
  ),
  makeChatShape(
    "a parameter of numbers, 16 MiB",
    () => `[${makeMessage('"x"')}]`,
    `,"x":${makeList(large, (i) => String(i))}`
  ),
  makeDecisionShape(
    "an image of 16 MiB",
    () =>
      `[{"type":"image_url","image_url":{"url":"data:image/png;base64,${"A".repeat(large - 200)}"}}]`
  ),
  makeDecisionShape("an image, and text of 16 MiB", () => `[${image},${makeText(large)}]`),
  makeDecisionShape(
    "an image, and numbers, 16 MiB",
    () => `[${image},{"a":${makeList(large, (i) => String(i))}}]`
  ),
  makeDecisionShape("an image, and millions of empty lists (400)", () =>
    appendImage(makeList(large, () => "[]"))
  ),
  ...makeAnswerShapes("1 MiB", mebibyte - 1_024, "bench/judge"),
  ...makeAnswerShapes("1 MiB, redacted", mebibyte - 1_024, "bench/redacted"),
  ...makeAnswerShapes("4 MiB, redacted", 4 * mebibyte, "bench/redacted", ["whole"]),
  makeDecisionShape("text, 16 MiB (413)", () => makeText(large)),
  makeDecisionShape(
    "60,000 labels (400)",
    () => '"x"',
    () => makeChoice(makeObject(fit, (i) => `"l${i}":null`, 60_000))
  ),
  makeDecisionShape(
    "150,000 levels (400)",
    () => '"x"',
    () => makeScore(makeList(fit, () => '"a"', 150_000))
  )
].filter(({ name }) => name.includes(only))

const small = makeDecisionShape("small", () => '"x"')

/** Sends the requests, and answers as a provider, always with the first option. */
const replayRequests = async (): Promise<void> => {
  let answer: number | undefined
  const upstream = await startListener((incoming, response) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.on("end", () => {
      const requested: unknown = JSON.parse(Buffer.concat(chunks).toString())
      const { body, type } = toResponse(Object(requested), answer)
      response.writeHead(200, { "content-type": type }).end(body)
    })
  })
  process.on("message", ({ index, port }: { index: number; port: number }) => {
    const { body, path, ...shape } = index === -1 ? small : shapes[index]!
    answer = shape.answer
    const bytes = Buffer.from(body())
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "content-length": bytes.length
    }
    const sent = request(
      { port, host: "127.0.0.1", path, method: "POST", headers, agent: false },
      (response) => {
        response.resume().on("end", () => process.send?.(response.statusCode))
      }
    )
    // A rejection arrives before the end of the request.
    sent.on("error", () => {})
    sent.end(bytes)
  })
  process.send?.(upstream.port)
}

/** Text with pieces of the customer's credential, and once the whole of it. */
const makeAnswerText = (length: number): string => {
  const unit = `${credential.slice(0, -4)} and sk-. `
  return credential + unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
}

const toEvent = (choice: object, rest = {}): string =>
  `data: ${JSON.stringify({ id: "bench", model: "bench", choices: [{ index: 0, ...choice }], ...rest })}\n\n`

const toResponse = (
  requested: Parameters<typeof toAnswer>[0] & { readonly stream?: boolean },
  answer: number | undefined
): { readonly body: string; readonly type: string } => {
  if (requested.stream !== true) {
    const text = answer === undefined ? undefined : makeAnswerText(answer)
    return { body: JSON.stringify(toAnswer(requested, text)), type: "application/json" }
  }
  const body = [
    toEvent({ delta: { content: makeAnswerText(answer ?? 0) } }),
    toEvent(
      { delta: {}, finish_reason: "stop" },
      { usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 } }
    ),
    "data: [DONE]\n\n"
  ].join("")
  return { body, type: "text/event-stream" }
}

/** Answers by the requested schema; without one, a chat or a question with numbered options. */
const toAnswer = (
  requested: {
    readonly response_format?: { readonly json_schema?: { readonly schema?: object } }
    readonly logprobs?: unknown
  },
  text = "1"
): object => {
  const schema = requested.response_format?.json_schema?.schema
  const top = [
    { token: "1", logprob: -0.1 },
    { token: "2", logprob: -2.5 }
  ]
  return {
    id: "bench",
    model: "bench",
    choices: [
      {
        index: 0,
        finish_reason: "stop",
        message: {
          role: "assistant",
          content: schema === undefined ? text : JSON.stringify(generateExample(schema))
        },
        ...(requested.logprobs === true
          ? { logprobs: { content: [{ token: "1", logprob: -0.1, top_logprobs: top }] } }
          : undefined)
      }
    ],
    usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 }
  }
}
const generateExample = (schema: {
  readonly properties?: Readonly<Record<string, object>>
}): unknown =>
  schema.properties === undefined
    ? 0.5
    : Object.fromEntries(
        Object.entries(schema.properties).map(([name, each]) => [name, generateExample(each)])
      )

/** Measures the longest turn of the event loop, in milliseconds, until it is stopped. */
const watchEventLoop = () => {
  let longest = 0
  let began = performance.now()
  let next: NodeJS.Immediate
  const turn = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - began)
    began = now
    next = setImmediate(turn)
  }
  next = setImmediate(turn)
  return () => {
    clearImmediate(next)
    return longest
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true })
const decodeAndParse = (bytes: Uint8Array): number => {
  const began = performance.now()
  JSON.parse(decoder.decode(bytes))
  return performance.now() - began
}

const measure = async (): Promise<void> => {
  const player = fork(new URL(import.meta.url), process.argv.slice(2))
  const received = () => new Promise<number>((resolve) => player.once("message", resolve))
  const upstreamPort = await received()
  const instance = await Signalbox.make({
    upstreams: [openai({ baseUrl: `http://127.0.0.1:${upstreamPort}`, apiKey: "sk-bench" })],
    models: [
      ["bench/judge", ["structured_outputs", "tools"]] as const,
      ["bench/redacted", ["structured_outputs", "tools"]] as const,
      ["bench/logprobs", ["logprobs", "top_logprobs"]] as const
    ].map(([id, supportedParameters]) => ({
      id,
      endpoints: [
        {
          provider: "openai",
          price: { prompt: "0.000001", completion: "0.000001" },
          supportedParameters: [...supportedParameters],
          otherParameters: ["x"]
        }
      ]
    })),
    keys: [{ key, kind: "organization", limit: 1_000_000 }],
    sealing: { current: "bench", keys: { bench: "Y".repeat(43) + "=" } },
    credentials: [{ provider: "openai", key: credential, allowed_models: ["bench/redacted"] }],
    settings: { totalTimeoutMillis: 240_000 }
  })
  const server = createServer(signalbox(instance)).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0

  const once = async (index: number) => {
    player.send({ index, port })
    const responses = received()
    const stop = watchEventLoop()
    const status = await responses
    return { status, longest: stop() }
  }
  // Warms up, so that compilation is not measured.
  for (let i = 0; i < 200; i++) await once(-1)

  console.log(
    "shape".padEnd(52),
    "MiB   status  longest turn           goal  decode + parse  ratio"
  )
  const legal: Array<{ readonly value: number; readonly where: string }> = []
  for (const [index, { answer, body, name }] of shapes.entries()) {
    // What is decoded and parsed: the request, or the answer where that is the large one.
    const bytes = new TextEncoder().encode(
      answer === undefined ? body() : JSON.stringify(makeAnswerText(answer))
    )
    const turns: Array<number> = []
    const parses: Array<number> = []
    let status = 0
    for (let round = 0; round < Number(rounds); round++) {
      parses.push(decodeAndParse(bytes))
      globalThis.gc?.()
      const { longest, ...answer } = await once(index)
      status = answer.status
      turns.push(longest)
    }
    const [turn, parse] = [Math.min(...turns), Math.min(...parses)]
    const isSmall = bytes.length <= mebibyte
    if (status === 200 && isSmall) legal.push({ value: turn, where: name })
    const goal = isSmall ? 20 : 1.5 * parse
    console.log(
      name.padEnd(52),
      (bytes.length / mebibyte).toFixed(2).padStart(5),
      String(status).padStart(6),
      `${turn.toFixed(1)} ms`.padStart(13),
      `${goal.toFixed(1)} ms${turn > goal && status === 200 ? " missed" : "       "}`.padStart(14),
      `${parse.toFixed(1)} ms`.padStart(15),
      (turn / parse).toFixed(2).padStart(6)
    )
  }
  report(findWorst("stall", legal))
  server.close()
  await instance.close()
  player.kill()
}

await (process.send === undefined ? measure() : replayRequests())
