/** The part of a configuration that needs nothing outside of the process: no storage, no destination. */
import type { Options } from "@signalbox/core"
import * as Logger from "effect/Logger"
import { isRecord } from "../models/readListing.ts"

/** The option `telemetry` of instances that are not served: their log at the start is noise. */
export const silent = Logger.layer([])

const innerOptions = [
  "accounts",
  "alerts",
  "bundles",
  "credentials",
  "credits",
  "experiments",
  "failureRules",
  "hedging",
  "interns",
  "keys",
  "requestQueue",
  "sealing",
  "settings",
  "strategy",
  "workspaceDefaults"
] as const

export const pickInnerOptions = (options: Options<never>): Options => ({
  upstreams: options.upstreams,
  models: options.models,
  ...Object.fromEntries(
    innerOptions.flatMap((name) =>
      options[name] === undefined ? [] : [[name, forgetWorkspaces(name, options[name])]]
    )
  )
})

/** Which workspaces there are, only the storage knows. */
const forgetWorkspaces = (name: string, value: unknown): unknown =>
  name === "keys" && Array.isArray(value)
    ? value.map((key: unknown) =>
        isRecord(key)
          ? Object.fromEntries(Object.entries(key).filter(([field]) => field !== "workspace"))
          : key
      )
    : value
