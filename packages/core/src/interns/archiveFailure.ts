/** How it is told of an intern that what it worked on could not be archived. Source: semantics D1. */
import type { Intern } from "./Intern.ts"

const code = "workspace_archive_failed"

export const toArchiveFailureMessage = (problem: string): string => `${code}: ${problem}`

export const hasArchiveFailure = ({ lastFailureMessage, status }: Intern): boolean =>
  status === "destroy_failed" && lastFailureMessage?.startsWith(code) === true
