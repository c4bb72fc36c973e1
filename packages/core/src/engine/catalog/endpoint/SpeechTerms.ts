/** What an endpoint that speaks can do. */
import { AudioFormat } from "../../../values/audio/AudioFormat.ts"
import { isObject } from "../../../values/json/guards.ts"
import { type FieldNames, checkFieldNames } from "../../../values/validation/checkFieldNames.ts"

/** What an endpoint that speaks can do. */
export interface SpeechTerms {
  /** The formats that it makes, such as `mp3`; absent: those of its upstream. */
  readonly formats?: ReadonlyArray<AudioFormat>
  /** The voice of requests that name none; absent: that of the provider, if it has one. */
  readonly defaultVoice?: string
  /** Whether it imitates the voice of a recording. Default: false, and requests with `input_references` do not go there. */
  readonly voiceCloning?: boolean
}

const fields: FieldNames<SpeechTerms> = { formats: true, defaultVoice: true, voiceCloning: true }

/** Throws a `RangeError` that names the problem. */
export const checkSpeechTerms = (terms: SpeechTerms): void => {
  if (!isObject(terms))
    throw new RangeError("speech must be an object such as { voiceCloning: true }")
  checkFieldNames(terms, "field of it", fields, "speech.")
  const { defaultVoice, formats, voiceCloning }: Readonly<Record<keyof SpeechTerms, unknown>> = {
    defaultVoice: undefined,
    formats: undefined,
    voiceCloning: undefined,
    ...terms
  }
  const known: ReadonlyArray<unknown> = AudioFormat.literals
  if (
    formats !== undefined &&
    !(Array.isArray(formats) && formats.every((each) => known.includes(each)))
  ) {
    throw new RangeError(`speech.formats must be a list of ${known.join(", ")}`)
  }
  if (defaultVoice !== undefined && (typeof defaultVoice !== "string" || defaultVoice === "")) {
    throw new RangeError("speech.defaultVoice must be the name of a voice")
  }
  if (voiceCloning !== undefined && typeof voiceCloning !== "boolean") {
    throw new RangeError("speech.voiceCloning must be true or false")
  }
}
