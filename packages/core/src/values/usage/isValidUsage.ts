/** Whether the usage that an upstream reports is one. */
import { getRequestCount, type TokenUsage } from "./TokenUsage.ts"

/** Counts are whole numbers from 0. */
export const isValidUsage = (usage: TokenUsage | undefined): usage is TokenUsage =>
  usage !== undefined &&
  isCount(usage.inputTokens) &&
  isCount(usage.outputTokens) &&
  isCount(getRequestCount(usage))

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
