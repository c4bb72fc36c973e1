/** The configuration of processes that run interns, and the calls of their intern host. */
import type { SettingsShape } from "@signalbox/core"
import type { InternCall } from "@signalbox/testing"
import type { TestDatabase } from "../support/TestDatabase.ts"

export interface InternProcessConfig {
  readonly database: TestDatabase
  /** The URL of the interns' machines, which outlive the processes. */
  readonly machines: string
  readonly settings: Partial<SettingsShape>
}

/** A call of the intern host to the machines. */
export interface MachineCall {
  readonly call: InternCall
  readonly id: string
  readonly name: string
  readonly run: number
  readonly hostname: string | null
  /** The secrets that were released to the intern. */
  readonly secrets: ReadonlyArray<string>
}

export const internKey = "sk-proof-of-interns-91c4e7"

export const secretHost = "machines.example.com"

/** The number of the run in which the second step fails. */
export const failingRun = 3
