/** Random requests and answers of Google's API. */
import * as Base64 from "effect/encoding/Base64"
import * as fc from "fast-check"

type Json = Readonly<Record<string, unknown>>

const text = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" })
const name = fc.oneof(
  fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,12}$/),
  fc.constant("__proto__")
)
const base64 = fc.uint8Array({ minLength: 1, maxLength: 12 }).map((bytes) => Base64.encode(bytes))
const args = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
const signature = fc.option(base64, { nil: undefined })

const withSignature = (part: Json, thoughtSignature: string | undefined): Json => ({
  ...part,
  ...(thoughtSignature === undefined ? undefined : { thoughtSignature })
})

const image = base64.map((data): Json => ({ inlineData: { mimeType: "image/png", data } }))
const medium = fc.oneof(
  image,
  base64.map((data): Json => ({ inlineData: { mimeType: "application/pdf", data } })),
  base64.map((data): Json => ({ inlineData: { mimeType: "audio/mp3", data } })),
  fc.constantFrom<Json>(
    {
      fileData: { mimeType: "video/mp4", fileUri: "gs://bucket/film.mp4" },
      videoMetadata: { fps: 2 }
    },
    {
      fileData: {
        fileUri: "https://generativelanguage.googleapis.com/v1beta/files/abc",
        mimeType: "image/png"
      }
    },
    { fileData: { mimeType: "text/plain", fileUri: "https://a.test/b.txt" } }
  )
)

const textPart = fc.tuple(text, signature).map(([said, sig]) => withSignature({ text: said }, sig))
const thoughtPart = fc
  .tuple(text, signature)
  .map(([said, sig]) => withSignature({ text: said, thought: true }, sig))
const callPart = (id: string) =>
  fc
    .tuple(name, args, signature)
    .map(([called, given, sig]) =>
      withSignature({ functionCall: { id, name: called, args: given } }, sig)
    )

/** Unsigned neighbours of one kind could as well be pieces of one. */
const separate = (parts: ReadonlyArray<Json>): ReadonlyArray<Json> =>
  parts.filter((part, at) => {
    const last = parts[at - 1]
    return (
      last === undefined ||
      typeof part["text"] !== "string" ||
      typeof last["text"] !== "string" ||
      part["thought"] !== last["thought"]
    )
  })

/** The parts of an answer in the order of its provider; calls have ids of their own. */
export const answerParts: fc.Arbitrary<ReadonlyArray<Json>> = fc
  .array(fc.oneof(textPart, thoughtPart, image, fc.uuid().chain(callPart)), {
    minLength: 1,
    maxLength: 6
  })
  .map(separate)

/** One signature of a text at most, at its end, as Google signs: chat can say no more. */
export const chatParts: fc.Arbitrary<ReadonlyArray<Json>> = answerParts.map((parts) => {
  const lastText = parts.findLastIndex((part) => isText(part))
  return parts.map((part, at) => {
    if (!isText(part) || at === lastText) return part
    const { thoughtSignature: _, ...unsigned } = part
    return unsigned
  })
})

const isText = (part: Json): boolean => typeof part["text"] === "string" && part["thought"] !== true

const response = fc.oneof(
  text.map((output) => ({ output })),
  fc.array(text, { minLength: 2, maxLength: 3 }).map((output) => ({ output })),
  fc.constant({ output: "" }),
  text.map((error) => ({ error })),
  args.filter((json) => !Object.hasOwn(json, "output") && !Object.hasOwn(json, "error"))
)

/** What the model says, and what its calls return, before what the user says next. */
const exchange = fc.uniqueArray(fc.uuid(), { maxLength: 3 }).chain((ids) =>
  fc
    .record({
      said: fc.array(fc.oneof(textPart, thoughtPart, image), { minLength: 1, maxLength: 3 }),
      ran: fc.option(
        fc.constant([
          { executableCode: { language: "PYTHON", code: "1" } },
          { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } }
        ]),
        { nil: [] }
      ),
      calls: fc.tuple(...ids.map(callPart)),
      responses: fc.tuple(...ids.map(() => response)),
      media: fc.array(image, { maxLength: 1 }),
      asked: fc.array(fc.oneof(textPart, medium), { minLength: 1, maxLength: 3 })
    })
    .map(({ asked, calls, media, ran, responses, said }) => [
      { role: "model", parts: [...separate(said), ...ran, ...calls] },
      {
        role: "user",
        parts: [
          ...calls.map(({ functionCall }, at) => {
            const { id, name: called } = functionCall as Record<string, unknown>
            return {
              functionResponse: {
                id,
                name: called,
                response: responses[at],
                ...(media.length === 0 ? undefined : { parts: media })
              }
            }
          }),
          ...asked
        ]
      }
    ])
)

const tools = fc.record(
  {
    functionDeclarations: fc.uniqueArray(
      fc.oneof(
        fc.record(
          {
            name,
            description: text,
            parametersJsonSchema: fc.constant({ type: "object", additionalProperties: false }),
            behavior: fc.constant("BLOCKING")
          },
          { requiredKeys: ["name"] }
        ),
        fc.record({
          name,
          parameters: fc.constant({
            type: "OBJECT",
            properties: { x: { type: "STRING", nullable: true } }
          })
        })
      ),
      { selector: (each) => each.name, minLength: 1, maxLength: 3 }
    )
  },
  { requiredKeys: ["functionDeclarations"] }
)

const calling = fc.oneof(
  fc.constantFrom<Json>(
    { mode: "AUTO" },
    { mode: "NONE" },
    { mode: "ANY" },
    { mode: "VALIDATED" },
    { mode: "AUTO", streamFunctionCallArguments: true }
  ),
  fc
    .tuple(
      fc.constantFrom("ANY", "VALIDATED"),
      fc.uniqueArray(name, { minLength: 1, maxLength: 2 })
    )
    .map(([mode, allowedFunctionNames]): Json => ({ mode, allowedFunctionNames }))
)

const generationConfig = fc
  .record(
    {
      temperature: fc.double({ min: 0, max: 2, noNaN: true }),
      topP: fc.double({ min: 0, max: 1, noNaN: true }),
      topK: fc.nat(500),
      candidateCount: fc.integer({ min: 1, max: 8 }),
      maxOutputTokens: fc.integer({ min: 1, max: 64_000 }),
      stopSequences: fc.array(text, { minLength: 1, maxLength: 2 }),
      seed: fc.nat(),
      presencePenalty: fc.double({ min: -2, max: 2, noNaN: true }),
      frequencyPenalty: fc.double({ min: -2, max: 2, noNaN: true }),
      format: fc.constantFrom<Json>(
        { responseMimeType: "application/json" },
        { responseMimeType: "text/plain" },
        { responseMimeType: "text/x.enum", responseSchema: { type: "STRING", enum: ["a"] } },
        { responseMimeType: "application/json", responseSchema: { type: "ARRAY" } },
        { responseMimeType: "application/json", responseJsonSchema: { type: "array" } }
      ),
      probabilities: fc.constantFrom<Json>(
        { responseLogprobs: true },
        { responseLogprobs: true, logprobs: 3 }
      ),
      thinkingConfig: fc.constantFrom<Json>(
        { includeThoughts: true },
        { includeThoughts: false },
        { includeThoughts: true, thinkingLevel: "HIGH" },
        { includeThoughts: false, thinkingLevel: "MINIMAL" },
        { includeThoughts: true, thinkingBudget: 2_048 }
      ),
      responseModalities: fc.constant(["TEXT", "IMAGE"]),
      mediaResolution: fc.constant("MEDIA_RESOLUTION_LOW")
    },
    { requiredKeys: [] }
  )
  .map(({ format, probabilities, ...rest }) => ({ ...rest, ...format, ...probabilities }))

/** A request in the words in which it is written again. */
export const geminiRequest: fc.Arbitrary<Json> = fc
  .record({
    first: fc.array(fc.oneof(textPart, medium), { minLength: 1, maxLength: 3 }),
    exchanges: fc.array(exchange, { maxLength: 3 }),
    tools: fc.option(tools, { nil: undefined }),
    search: fc.boolean(),
    calling: fc.option(calling, { nil: undefined }),
    retrieval: fc.boolean(),
    generationConfig,
    settings: fc.record(
      {
        systemInstruction: fc
          .array(text, { minLength: 1, maxLength: 2 })
          .map((texts) => ({ parts: texts.map((said) => ({ text: said })) })),
        safetySettings: fc.constant([
          { category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }
        ]),
        cachedContent: fc.constant("cachedContents/abc"),
        serviceTier: fc.constantFrom("flex", "standard", "priority"),
        labels: fc.dictionary(name, text, { maxKeys: 1 }),
        unknownField: fc.constant({ deep: [1, null] })
      },
      { requiredKeys: [] }
    )
  })
  .map(
    ({
      calling: choice,
      exchanges,
      first,
      retrieval,
      search,
      settings,
      tools: functions,
      ...rest
    }) => {
      const toolConfig = {
        ...(functions === undefined || choice === undefined
          ? undefined
          : { functionCallingConfig: choice }),
        ...(retrieval ? { retrievalConfig: { languageCode: "en" } } : undefined)
      }
      const listed = [
        ...(functions === undefined ? [] : [functions]),
        ...(search ? [{ googleSearch: {} }] : [])
      ]
      return {
        ...settings,
        contents: [{ role: "user", parts: first }, ...exchanges.flat()],
        ...(listed.length === 0 ? undefined : { tools: listed }),
        ...(Object.keys(toolConfig).length === 0 ? undefined : { toolConfig }),
        ...(Object.keys(rest.generationConfig).length === 0
          ? undefined
          : { generationConfig: rest.generationConfig })
      }
    }
  )
