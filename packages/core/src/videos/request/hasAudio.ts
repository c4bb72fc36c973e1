/** Whether a video gets sound: as the request says, else as the endpoint's capability says, else not. */
import type { VideoCapabilities } from "../../catalog/VideoCapabilities.ts"
import type { VideoRequest } from "./VideoRequest.ts"

export const hasAudio = (
  { generate_audio }: Pick<VideoRequest, "generate_audio">,
  capabilities: Pick<VideoCapabilities, "generate_audio"> | undefined
): boolean => generate_audio ?? capabilities?.generate_audio ?? false
