/** Speech: the operations of the group `speech`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { FileResponse } from "../readAnswer.ts"
import type { Preferences } from "./types/Preferences.ts"
import type { Trace } from "./types/Trace.ts"

export interface SpeechCreateInput {
  readonly model: string
  readonly input: string
  readonly voice?:
    | string
    | {
        readonly id: string
      }
  readonly response_format?: "mp3" | "pcm" | "wav" | "opus" | "aac" | "flac"
  readonly instructions?: string
  readonly speed?: number
  readonly input_references?: ReadonlyArray<
    | {
        readonly type: "input_audio"
        readonly input_audio: {
          readonly data: string
          readonly format?: string
        }
      }
    | {
        readonly type: "text"
        readonly text: string
      }
  >
  readonly provider?: Preferences
  readonly session_id?: string
  readonly trace?: Trace
  readonly user?: string
  readonly [field: string]: unknown
}

/** Speech. */
export const speech = (connection: Connection) => ({
  /** Speak a text. The answer is the audio itself, as it is made, in the requested format. A connection that breaks off means that the audio is incomplete. */
  create: (input: SpeechCreateInput, options?: CallOptions): Promise<FileResponse> =>
    connection.file("POST /api/v1/audio/speech", input, options)
})
