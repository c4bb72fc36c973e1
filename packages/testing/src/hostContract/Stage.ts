/** Where a case plays: a box with an upstream, mounted in the host that is tried. */
import { make, type SettingsShape, type Signalbox } from "@signalbox/core"
import { OutboundHttp } from "@signalbox/core/adapter"
import * as Digest from "effect/crypto/Digest"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import { onTestFinished } from "vitest"
import { type Answer, send, type Sending } from "./client.ts"
import { film } from "./film.ts"
import type { MakeHarness, Placement } from "./HostHarness.ts"
import { decide, type Decide } from "./judge.ts"
import { internDomain, talk } from "./talk.ts"
import { type Respond, withApp } from "./withApp.ts"

export interface Scene extends Partial<Omit<Placement, "box">> {
  readonly decide?: Decide
  /** Answers every operation in place of the service. */
  readonly respond?: Respond
  readonly settings?: Partial<SettingsShape>
}

export interface Stage {
  readonly box: Signalbox
  readonly origin: string
  /** Empty at the root. */
  readonly mount: string
  /** The origin and the mount. */
  readonly url: string
}

export const memberKey = "sk-host-contract-member"
/** Of a member, who may own interns. */
export const actingKey = "sk-host-contract-acting"
export const managementKey = "sk-host-contract-management"

const platform = Layer.mergeAll(
  FetchHttpClient.layer,
  Digest.layerWebCrypto,
  OutboundHttp.layerNone
)

/** Builds the stage; the end of the test takes it down. */
export const setUp = async (makeHarness: MakeHarness, scene: Scene = {}): Promise<Stage> => {
  const made = await make(
    {
      upstreams: [
        {
          slug: "judge",
          name: "Judge",
          decisions: {
            decide: scene.decide ?? decide,
            worstCase: () => ({ inputTokens: 1, outputTokens: 1 })
          },
          videos: film,
          chat: talk
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
        { key: actingKey, kind: "member", user: "mem-host" },
        { key: managementKey, kind: "management" }
      ],
      interns: { domain: internDomain },
      // A request that is never counted out would hold `close` until the test runs out of time.
      settings: {
        drainDeadlineMillis: 600_000,
        videoSweepMillis: 10,
        jobPollMillis: 10,
        ...scene.settings
      }
    },
    platform
  )
  const box = scene.respond === undefined ? made : withApp(made, scene.respond)
  const { mounts = [], parser } = scene
  const host = await makeHarness({ box, mounts, parser })
  onTestFinished(async () => {
    await host.close()
    await box.close()
  })
  const mount = mounts.join("")
  return { box, origin: host.origin, mount, url: host.origin + mount }
}

/** A decision request about `state`. */
export const requestAbout = (state: unknown): string =>
  JSON.stringify({
    model: "host/contract",
    state,
    questions: { sure: { type: "noul", instructions: "Are you sure?" } }
  })

/** Posts `body` as a decision request of the member. */
export const postDecision = (
  { url }: Stage,
  body: string | Uint8Array,
  sending: Sending = {}
): Promise<Answer> =>
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

/** The probability of yes in a decision; of anything else, what it is instead. */
export const yesIn = ({ status, text }: Answer): unknown => {
  const decision = status === 200 ? JSON.parse(text) : undefined
  return decision?.provider === "Judge" && decision.answers?.sure?.type === "noul"
    ? decision.answers.sure.noul
    : `${status}: ${text}`
}

/** The code in an error envelope that goes with its status; of anything else, what it is instead. */
export const refusalIn = ({ headers, status, text }: Answer): unknown => {
  const isJson = headers["content-type"]?.startsWith("application/json") === true
  const error = isJson ? JSON.parse(text).error : undefined
  return error?.code === status && typeof error?.message === "string"
    ? status
    : `${status} ${headers["content-type"]}: ${text}`
}
