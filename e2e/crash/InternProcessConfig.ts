/** Where processes that run interns meet, and what their host of interns tells. */
import type { SettingsShape } from "@signalbox/core"
import type { InternCall } from "@signalbox/testing"
import type { TestDatabase } from "../support/TestDatabase.ts"

export interface InternProcessConfig {
  readonly database: TestDatabase
  /** The address of what outlives them: the machines of the interns. */
  readonly machines: string
  readonly settings: Partial<SettingsShape>
}

/** What a host of interns tells the machines of one. */
export interface MachineCall {
  readonly call: InternCall
  readonly id: string
  readonly name: string
  readonly run: number
  readonly hostname: string | null
  /** That were released to it. */
  readonly secrets: ReadonlyArray<string>
}

export const internKey = "sk-proof-of-interns-91c4e7"

export const secretHost = "machines.example.com"

/** The provisioning in which the second step fails, by the count of runs. */
export const failingRun = 3
