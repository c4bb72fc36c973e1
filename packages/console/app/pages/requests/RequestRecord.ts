/** What the API answers of requests. */
import type { OperationResponse } from "@signalbox/core/contract"

/** A request in the list. */
export type RequestSummary = OperationResponse<"generations.list">["data"][number]

/** The whole record of a request. */
export type RequestRecord = OperationResponse<"generations.getRecord">["data"]
