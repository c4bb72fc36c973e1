/** The operations besides chats, with the table of their fields, and what is sent beside a field. */
import type { OperationRow } from "./OperationRow.ts"

const png = "data:image/png;base64,iVBORw0KGgo="

/** Of every operation. */
const common: ReadonlyArray<OperationRow> = [
  { field: "session_id", at: "done", request: { session_id: "s" }, note: "in the record" },
  {
    field: "trace",
    at: "done",
    request: { trace: { name: "t" } },
    note: "in the record and in spans"
  },
  {
    field: "user",
    at: "done",
    request: { user: "ada" },
    note: "in the record; budgets may count it"
  },
  { field: "provider.unknown", at: "refused", request: { provider: { unknown: 1 } } },
  // Fields of chats, which other servers may ignore in silence.
  { field: "debug", at: "told", request: { debug: { echo_upstream_body: true } } },
  { field: "plugins", at: "told", request: { plugins: [{ id: "web" }] } },
  { field: "route", at: "told", request: { route: "sort" } },
  {
    field: "stop_server_tools_when",
    at: "told",
    request: { stop_server_tools_when: [{ type: "step_count_is", step_count: 1 }] }
  },
  { field: "transforms", at: "told", request: { transforms: ["middle-out"] } }
]

/** Decisions have presets. */
const noPresets: OperationRow = { field: "preset", at: "told", request: { preset: "support" } }

const oneModel: OperationRow = { field: "models", at: "refused", request: { models: ["a/b"] } }
const passedOn: OperationRow = { field: "unknown", at: "passed", request: { unknown: 1 } }

const image = { type: "image_url", image_url: { url: png } }
const recording = { type: "input_audio", input_audio: { data: "aGVsbG8=", format: "wav" } }

export const operations: ReadonlyArray<{
  readonly title: string
  readonly path: string
  /** The name of its schema among the published ones. */
  readonly schema: string
  /** The first part of the model's name. */
  readonly model: string
  readonly base: Readonly<Record<string, unknown>>
  readonly rows: ReadonlyArray<OperationRow>
}> = [
  {
    title: "Decisions",
    path: "/api/alpha/decisions",
    schema: "DecisionsRequest",
    model: "decide",
    base: { state: "a", questions: { ok: { type: "noul", instructions: "Is it calm?" } } },
    rows: [
      ...common,
      {
        field: "questions.ok.unknown",
        at: "told",
        request: {
          questions: { ok: { type: "noul", instructions: "Is it calm?", unknown: 1 } }
        }
      },
      {
        field: "preset",
        at: "refused",
        request: { preset: "support" },
        note: "unless there is such a preset"
      },
      { field: "state", at: "passed", request: { state: "b" } },
      { field: "unknown", at: "told", request: { unknown: 1 } }
    ]
  },
  {
    title: "Embeddings",
    path: "/api/v1/embeddings",
    schema: "EmbeddingsRequest",
    model: "embed",
    base: { input: "a" },
    rows: [
      ...common,
      oneModel,
      noPresets,
      passedOn,
      { field: "dimensions", at: "passed", request: { dimensions: 3 } },
      {
        field: "encoding_format",
        at: "done passed",
        request: { encoding_format: "base64" },
        note: "the router converts vectors for servers that may not"
      },
      { field: "input_type", at: "passed", request: { input_type: "search_query" } },
      { field: "stream", at: "refused", request: { stream: true } }
    ]
  },
  {
    title: "Reranks",
    path: "/api/v1/rerank",
    schema: "CreateRerankRequestBody",
    model: "rank",
    base: { query: "a", documents: ["a", "b", "c"] },
    rows: [
      ...common,
      oneModel,
      noPresets,
      passedOn,
      {
        field: "documents[].unknown",
        at: "refused",
        request: { documents: [{ text: "a", unknown: 1 }] }
      },
      { field: "stream", at: "refused", request: { stream: true } },
      { field: "top_n", at: "passed", request: { top_n: 2 } }
    ]
  },
  {
    title: "Images",
    path: "/api/v1/images",
    schema: "ImageGenerationRequest",
    model: "paint",
    base: { prompt: "a" },
    rows: [
      ...common,
      oneModel,
      noPresets,
      passedOn,
      { field: "aspect_ratio", at: "passed", request: { aspect_ratio: "16:9" } },
      { field: "background", at: "passed", request: { background: "transparent" } },
      { field: "input_references", at: "passed", request: { input_references: [image] } },
      {
        field: "input_references[].unknown",
        at: "told",
        request: { input_references: [{ ...image, unknown: 1 }] },
        without: { input_references: [image] }
      },
      { field: "n", at: "passed", request: { n: 2 } },
      { field: "output_compression", at: "passed", request: { output_compression: 50 } },
      { field: "output_format", at: "passed", request: { output_format: "webp" } },
      { field: "quality", at: "passed", request: { quality: "low" } },
      { field: "resolution", at: "refused passed", request: { resolution: "2K" } },
      { field: "response_format: url", at: "refused", request: { response_format: "url" } },
      { field: "seed", at: "refused passed", request: { seed: 7 } },
      { field: "size", at: "passed", request: { size: "1024x1024" } }
    ]
  },
  {
    title: "Speech",
    path: "/api/v1/audio/speech",
    schema: "SpeechRequest",
    model: "speak",
    base: { input: "a", voice: "alloy" },
    rows: [
      ...common,
      oneModel,
      noPresets,
      passedOn,
      {
        field: "input_references",
        at: "refused passed",
        request: { input_references: [recording] }
      },
      {
        field: "input_references[].unknown",
        at: "refused told",
        request: { input_references: [{ ...recording, unknown: 1 }] },
        without: {}
      },
      { field: "instructions", at: "passed", request: { instructions: "slowly" } },
      { field: "response_format", at: "passed", request: { response_format: "mp3" } },
      { field: "speed", at: "passed", request: { speed: 2 } },
      { field: "stream_format: sse", at: "refused", request: { stream_format: "sse" } }
    ]
  },
  {
    title: "Transcriptions",
    path: "/api/v1/audio/transcriptions",
    schema: "STTRequest",
    model: "listen",
    base: { input_audio: { data: "aGVsbG8=", format: "wav" } },
    rows: [
      ...common,
      oneModel,
      noPresets,
      passedOn,
      { field: "language", at: "passed", request: { language: "en" } },
      {
        field: "response_format: verbose_json",
        at: "passed",
        request: { response_format: "verbose_json" }
      },
      {
        field: "response_format: json",
        at: "done",
        request: { response_format: "json" },
        note: "what is answered anyway"
      },
      {
        field: "input_audio.unknown",
        at: "told",
        request: { input_audio: { data: "aGVsbG8=", format: "wav", unknown: 1 } }
      },
      { field: "response_format: srt", at: "refused", request: { response_format: "srt" } },
      { field: "stream", at: "refused", request: { stream: true } },
      { field: "temperature", at: "passed", request: { temperature: 0.5 } },
      {
        field: "timestamp_granularities",
        at: "passed",
        request: { response_format: "verbose_json", timestamp_granularities: ["word"] },
        without: { response_format: "verbose_json" }
      }
    ]
  },
  {
    title: "Videos",
    path: "/api/v1/videos",
    schema: "VideoGenerationRequest",
    model: "film",
    base: { prompt: "a" },
    rows: [
      ...common,
      noPresets,
      { field: "aspect_ratio", at: "passed", request: { aspect_ratio: "16:9" } },
      {
        field: "callback_url",
        at: "done",
        request: { callback_url: "https://example.com/done" },
        note: "called when the video is there"
      },
      { field: "duration", at: "passed", request: { duration: 8 } },
      {
        field: "frame_images[].unknown",
        at: "told",
        request: {
          frame_images: [{ ...image, frame_type: "first_frame", unknown: 1 }]
        },
        without: { frame_images: [{ ...image, frame_type: "first_frame" }] }
      },
      { field: "generate_audio", at: "told passed", request: { generate_audio: true } },
      { field: "input_references", at: "passed", request: { input_references: [image] } },
      {
        field: "input_references[].audio_url",
        at: "told passed",
        request: {
          input_references: [{ type: "audio_url", audio_url: { url: "https://example.com/a.mp3" } }]
        }
      },
      { field: "seed", at: "told passed", request: { seed: 7 } },
      { field: "size", at: "passed", request: { size: "1280x720" } },
      { field: "unknown", at: "told", request: { unknown: 1 } }
    ]
  }
]
