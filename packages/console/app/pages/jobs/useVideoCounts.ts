/** How many video jobs there are of each state, and the oldest that is under way. */
import type { OperationResponse } from "@signalbox/core/contract"
import { get } from "../../api/request.ts"
import { type Loaded, useLoaded } from "../../api/useApi.ts"

export type VideoJob = OperationResponse<"videos.list">["data"][number]
export type VideoStatus = VideoJob["status"]

export const videoStatuses: ReadonlyArray<VideoStatus> = [
  "pending",
  "in_progress",
  "completed",
  "failed",
  "cancelled",
  "expired"
]

export const isActive = (status: VideoStatus): boolean =>
  status === "pending" || status === "in_progress"

export interface VideoCounts {
  readonly counts: ReadonlyMap<VideoStatus, number>
  /** The active job that was submitted first; undefined: no job is active. */
  readonly oldest: VideoJob | undefined
}

const path = "api/v1/signalbox/videos"

export const useVideoCounts = (): Loaded<VideoCounts> =>
  useLoaded(
    path,
    async (path, signal) => {
      const found = await Promise.all(
        videoStatuses.map(async (status) => {
          const { total_count: count } = await get<"videos.list">(
            path,
            { status, limit: 1 },
            signal
          )
          // The list is newest first.
          const last =
            isActive(status) && count > 0
              ? await get<"videos.list">(path, { status, limit: 1, offset: count - 1 }, signal)
              : undefined
          return { status, count, oldest: last?.data[0] }
        })
      )
      return {
        counts: new Map(found.map(({ count, status }) => [status, count])),
        oldest: found
          .flatMap(({ oldest }) => oldest ?? [])
          .toSorted((one, other) => one.created_at.localeCompare(other.created_at))
          .at(0)
      }
    },
    { every: 10_000 }
  )
