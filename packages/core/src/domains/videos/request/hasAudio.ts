/** Whether a video has audio: the request decides, then the capability of the model; default false. */
import type { VideoCapabilities } from "../../../engine/catalog/model/VideoCapabilities.ts"
import type { VideoRequest } from "./VideoRequest.ts"

export const hasAudio = (
  { generate_audio }: Pick<VideoRequest, "generate_audio">,
  capabilities: Pick<VideoCapabilities, "generate_audio"> | undefined
): boolean => generate_audio ?? capabilities?.generate_audio ?? false
