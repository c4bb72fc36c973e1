/** Mounts an instance with one upstream in the tested host. */
import { type Authenticate, make, type SettingsShape, type Signalbox } from "@signalbox/core"
import { OutboundHttp, type Respond } from "@signalbox/core/adapter"
import * as Digest from "effect/crypto/Digest"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import { onTestFinished } from "vitest"
import { type HttpResponse, send, type SendOptions } from "./client.ts"
import { fakeVideos } from "./fakeVideos.ts"
import type { MakeHarness, HostSetup } from "./HostHarness.ts"
import { decide, type Decide } from "./fakeDecisions.ts"
import { internDomain, fakeChat } from "./fakeChat.ts"
import { replaceResponse } from "./replaceResponse.ts"

export interface MountOptions extends Partial<Omit<HostSetup, "instance">> {
  readonly decide?: Decide
  /** Answers every operation instead of the service. */
  readonly respond?: Respond
  readonly settings?: Partial<SettingsShape>
  /** Default: the keys alone. */
  readonly authenticate?: Authenticate
}

export interface MountedInstance {
  readonly instance: Signalbox
  readonly origin: string
  /** Empty at the root. */
  readonly mount: string
  /** The origin and the mount. */
  readonly url: string
}

export const memberKey = "sk-host-contract-member"
/** A key of a member, who may own interns. */
export const actingMemberKey = "sk-host-contract-acting"
export const managementKey = "sk-host-contract-management"

const platform = Layer.mergeAll(
  FetchHttpClient.layer,
  Digest.layerWebCrypto,
  OutboundHttp.layerNone
)

/** The instance and its host close at the end of the test. */
export const mountInstance = async (
  makeHarness: MakeHarness,
  options: MountOptions = {}
): Promise<MountedInstance> => {
  const made = await make(
    {
      upstreams: [
        {
          slug: "judge",
          name: "Judge",
          decisions: {
            decide: options.decide ?? decide,
            estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
          },
          videos: fakeVideos,
          chat: fakeChat
        }
      ],
      models: [
        { id: "host/talk", endpoints: [{ provider: "judge", price: {} }] },
        { id: "host/contract", endpoints: [{ provider: "judge", price: {} }] },
        {
          id: "host/film",
          card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
          video: {
            supported_resolutions: null,
            supported_aspect_ratios: null,
            supported_sizes: null,
            supported_durations: [4, 8],
            supported_frame_images: null,
            generate_audio: null,
            seed: null,
            creativity: null,
            upscale_factor: null,
            allowed_passthrough_parameters: [],
            pricing_skus: { duration_seconds: "0.1" }
          },
          endpoints: [{ provider: "judge", price: {} }]
        }
      ],
      keys: [
        { key: memberKey, kind: "member", user: "ada" },
        { key: actingMemberKey, kind: "member", user: "mem-host" },
        { key: managementKey, kind: "management" }
      ],
      interns: { domain: internDomain },
      ...(options.authenticate === undefined ? undefined : { authenticate: options.authenticate }),
      // If a request is never counted as finished, `close` fails here instead of at the timeout of the test.
      settings: {
        drainTimeoutMillis: 600_000,
        videoSweepMillis: 10,
        jobPollMillis: 10,
        ...options.settings
      }
    },
    platform
  )
  const instance = options.respond === undefined ? made : replaceResponse(made, options.respond)
  const { compress, mounts = [], parser } = options
  const host = await makeHarness({ instance, mounts, parser, compress })
  onTestFinished(async () => {
    await host.close()
    await instance.close()
  })
  const mount = mounts.join("")
  return { instance, origin: host.origin, mount, url: host.origin + mount }
}

/** A Decision request about `state`. */
export const makeRequest = (state: unknown): string =>
  JSON.stringify({
    model: "host/contract",
    state,
    questions: { sure: { type: "noul", instructions: "Are you sure?" } }
  })

/** Posts `body` as a Decision request of the member. */
export const postDecision = (
  { url }: MountedInstance,
  body: string | Uint8Array,
  sending: SendOptions = {}
): Promise<HttpResponse> =>
  send(`${url}/api/alpha/decisions`, {
    method: "POST",
    body,
    ...sending,
    headers: {
      authorization: `Bearer ${memberKey}`,
      "content-type": "application/json",
      ...sending.headers
    }
  })

/** The probability of yes in a Decision, else a description of the response. */
export const parseYes = ({ status, text }: HttpResponse): unknown => {
  const decision = status === 200 ? JSON.parse(text) : undefined
  return decision?.provider === "Judge" && decision.answers?.sure?.type === "noul"
    ? decision.answers.sure.noul
    : `${status}: ${text}`
}

/** The code of an error envelope that equals the status, else a description of the response. */
export const parseError = ({ headers, status, text }: HttpResponse): unknown => {
  const isJson = headers["content-type"]?.startsWith("application/json") === true
  const error = isJson ? JSON.parse(text).error : undefined
  return error?.code === status && typeof error?.message === "string"
    ? status
    : `${status} ${headers["content-type"]}: ${text}`
}
