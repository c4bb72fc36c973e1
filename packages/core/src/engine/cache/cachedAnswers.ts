/** What stores of cached answers have in common: how large an answer is, and whose. Apart from the port, which loads at the start. */
import type {
  CachedAnswerFilter,
  CachedAnswerOwner,
  NewCachedAnswer
} from "./ResponseCacheStore.ts"

/** How many bytes an answer counts as: UTF-16 units are close enough, and cost nothing to count. */
export const countAnswerBytes = ({ key, text }: Pick<NewCachedAnswer, "key" | "text">): number =>
  key.length + text.length

/** Whether an answer of `owner` is one of the selected. */
export const isSelected = (
  owner: CachedAnswerOwner,
  { account, externalUser, keyHash, user, workspace }: CachedAnswerFilter
): boolean =>
  owner.account === account &&
  (workspace === undefined || owner.workspace === workspace) &&
  (keyHash === undefined || owner.keyHash === keyHash) &&
  (user === undefined || owner.user === user) &&
  (externalUser === undefined || owner.externalUser === externalUser)
