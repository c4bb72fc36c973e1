/** Checks a request against the capabilities of its model, one rule per field. */
import * as Result from "effect/Result"
import type { ModelCard } from "../../../engine/catalog/model/ModelCard.ts"
import type { VideoCapabilities } from "../../../engine/catalog/model/VideoCapabilities.ts"
import { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import {
  type Dimensions,
  resolveDimensions,
  hasRatio,
  hasResolution,
  knownRatios,
  knownResolutions
} from "./resolveDimensions.ts"
import type { VideoRequest } from "./VideoRequest.ts"

export interface VideoModelTraits {
  readonly capabilities: VideoCapabilities
  readonly inputs: ModelCard["architecture"]["input_modalities"]
}

/** The dimensions of the video; fails with the first unsupported field. */
export const checkVideoRequest = (
  request: VideoRequest,
  { capabilities, inputs }: VideoModelTraits
): Result.Result<Dimensions, InvalidRequest> => {
  const problem = listProblems(request, capabilities, inputs).find(
    ({ message }) => message !== undefined
  )
  if (problem?.message !== undefined) {
    return Result.fail(new InvalidRequest({ path: problem.path, problem: problem.message }))
  }
  return resolveDimensions(request, capabilities)
}

interface Problem {
  readonly path: ReadonlyArray<string | number>
  readonly message: string | undefined
}

const listProblems = (
  request: VideoRequest,
  capabilities: VideoCapabilities,
  inputs: VideoModelTraits["inputs"]
): ReadonlyArray<Problem> => [
  { path: ["prompt"], message: findPromptProblem(request, inputs) },
  {
    path: ["aspect_ratio"],
    message: findUnsupported(
      request.aspect_ratio,
      capabilities.supported_aspect_ratios ?? knownRatios
    )
  },
  {
    path: ["resolution"],
    message: findUnsupported(
      request.resolution,
      capabilities.supported_resolutions ?? knownResolutions
    )
  },
  { path: ["size"], message: findSizeProblem(request.size, capabilities) },
  {
    path: ["duration"],
    message: findUnsupported(request.duration, capabilities.supported_durations)
  },
  ...listFrameProblems(request, capabilities.supported_frame_images),
  {
    path: ["generate_audio"],
    message:
      request.generate_audio === true && capabilities.generate_audio === false
        ? "the model generates no audio"
        : undefined
  },
  {
    path: ["creativity"],
    message: findCreativityProblem(request.creativity, capabilities.creativity)
  },
  {
    path: ["upscale_factor"],
    message: findFactorProblem(request.upscale_factor, capabilities.upscale_factor)
  }
]

const findPromptProblem = (
  { frame_images, input_references, previous_job_id, prompt }: VideoRequest,
  inputs: VideoModelTraits["inputs"]
): string | undefined => {
  if (prompt !== undefined) return undefined
  if (inputs.includes("text")) return "is required by this model"
  const given = (frame_images?.length ?? 0) + (input_references?.length ?? 0)
  return given > 0 || previous_job_id !== undefined
    ? undefined
    : "or frame_images or input_references are required: there is nothing to make a video of"
}

const findUnsupported = <A extends string | number>(
  value: A | undefined,
  supported: ReadonlyArray<A> | null
): string | undefined =>
  value === undefined || supported === null || supported.includes(value)
    ? undefined
    : `${value} is not supported by this model; it supports ${formatSupported(supported)}`

/** Without a list of sizes, a size must match the supported resolutions and aspect ratios. */
const findSizeProblem = (
  size: string | undefined,
  {
    supported_aspect_ratios: ratios,
    supported_resolutions: resolutions,
    supported_sizes: sizes
  }: VideoCapabilities
): string | undefined => {
  if (size === undefined || sizes !== null) return findUnsupported(size, sizes)
  if (ratios?.some((ratio) => hasRatio(size, ratio)) === false) {
    return `${size} has none of the aspect ratios this model supports: ${formatSupported(ratios)}`
  }
  if (resolutions?.some((resolution) => hasResolution(size, resolution)) === false) {
    return `${size} has none of the resolutions this model supports: ${formatSupported(resolutions)}`
  }
  return undefined
}

const listFrameProblems = (
  { frame_images = [] }: VideoRequest,
  supported: ReadonlyArray<string> | null
): ReadonlyArray<Problem> =>
  frame_images.map(({ frame_type }, index) => ({
    path: ["frame_images", index, "frame_type"],
    message: frame_images.slice(0, index).some((other) => other.frame_type === frame_type)
      ? `there are two images for the ${frame_type}`
      : findUnsupported(frame_type, supported)
  }))

const findCreativityProblem = (
  creativity: number | undefined,
  supported: VideoCapabilities["creativity"]
): string | undefined =>
  creativity !== undefined && supported === null
    ? upscalersOnlyMessage
    : findUnsupported(creativity, supported)

const findFactorProblem = (
  factor: number | undefined,
  range: VideoCapabilities["upscale_factor"]
): string | undefined => {
  if (factor === undefined) return undefined
  if (range === null) return upscalersOnlyMessage
  const { max, min } = range
  return (min != null && factor < min) || (max != null && factor > max)
    ? `${factor} is not supported by this model; it supports ${min ?? 0} to ${max ?? "any"}`
    : undefined
}

const upscalersOnlyMessage = "is for models that upscale videos; this one does not"

const formatSupported = (supported: ReadonlyArray<string | number>): string =>
  supported.length === 0 ? "none" : supported.join(", ")
