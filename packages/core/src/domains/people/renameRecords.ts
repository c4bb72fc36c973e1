/** Renames a person in one record. Pure: returns the same object when it does not name the person. */
import * as Struct from "effect/Struct"
import type { Assignment } from "../../tenants/guardrails/Assignment.ts"
import type { AuditEntry } from "../../engine/observability/audit/AuditLog.ts"
import type { Generation } from "../../engine/observability/generations/Generation.ts"
import { UserId } from "../../values/ids/Ids.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { parseTag, type Tags } from "../../values/Tags.ts"
import type { CalibrationSample } from "../calibration/CalibrationSample.ts"
import type { LabelerShare } from "../calibration/FittedMaps.ts"
import type { Feedback } from "../feedback/Feedback.ts"
import type { Intern } from "../interns/Intern.ts"
import type { PresetVersion, StoredPreset } from "../presets/Preset.ts"
import { renameCounterKey, renameSubject } from "../../engine/ledger/Subject.ts"
import type { SavedView } from "../views/SavedView.ts"
import type { VideoJob, VideoReservation } from "../videos/VideoJob.ts"
import { renameBounds, renameScopeName } from "./renameBounds.ts"
import type { Renaming } from "./PersonStore.ts"

/** Drops the trace and the session of the person, because both may name them. Tags of all records may have the name. */
export const renameGeneration = (generation: Generation, renaming: Renaming): Generation => {
  const field = renaming.kind === "user" ? "user" : "externalUser"
  const tags = generation.tags && renameTags(generation.tags, renaming)
  const bounded = renameBounds(generation, renaming)
  if (generation[field] !== renaming.name) {
    return tags === generation.tags ? bounded : { ...bounded, ...omitUndefined({ tags }) }
  }
  const { session: _, tags: __, trace: ___, ...rest } = bounded
  return { ...rest, ...omitUndefined({ tags }), [field]: renaming.pseudonym }
}

/** Like a record, with the next version, so that a worker that has read the job reads it again. */
export const renameVideoJob = (job: VideoJob, renaming: Renaming): VideoJob => {
  const { kind, name, pseudonym } = renaming
  const { session_id: _, trace: __, ...request } = job.request
  const tags = job.tags && renameTags(job.tags, renaming)
  const plan = job.plan && renameBounds(job.plan, renaming)
  const next = { ...job, ...omitUndefined({ plan, tags }), version: job.version + 1 }
  const reservations = job.reservations.map((each) => renameReservation(each, renaming))
  if (kind === "user" && job.user === name) {
    return { ...next, user: UserId.make(pseudonym), request, reservations }
  }
  if (kind === "external_user" && request.user === name) {
    return { ...next, request: { ...request, user: pseudonym }, reservations }
  }
  return tags === job.tags && plan === job.plan ? job : next
}

/** The limits of a reservation, which alerts need, have subjects, names and scopes. */
const renameReservation = (reservation: VideoReservation, renaming: Renaming): VideoReservation => {
  const { limits } = reservation
  if (!Array.isArray(limits)) return reservation
  const renameMember = ([key, value]: readonly [string, unknown]) => [
    key,
    renameLimitMember(key, value, renaming)
  ]
  return {
    ...reservation,
    limits: limits.map((limit: object) =>
      Object.fromEntries(Object.entries(limit).map(renameMember))
    )
  }
}

const renameLimitMember = (key: string, value: unknown, renaming: Renaming): unknown => {
  if (typeof value !== "string") return renameState(value, renaming)
  switch (key) {
    case "id":
      return renameCounterKey(value, renaming)
    case "subject":
      return renameSubject(value, renaming)
    case "name":
      return renameScopeName(value, renaming)
    default:
      return value
  }
}

/** The same tags when none has the name. */
const renameTags = (tags: Tags, { name, pseudonym }: Pick<Renaming, "name" | "pseudonym">): Tags =>
  Object.values(tags).includes(name)
    ? Object.fromEntries(
        Object.entries(tags).map(([key, value]) => [key, value === name ? pseudonym : value])
      )
    : tags

/** Who gave it, and the person whose answer it is about: then the comment goes, because it may say anything of them. */
export const renameFeedback = (feedback: Feedback, renaming: Renaming): Feedback => {
  const { kind, name, pseudonym } = renaming
  const generation = renameGeneration(feedback.generation, renaming)
  const isGiver = kind === "user" && feedback.givenBy.user === name
  if (!isGiver && generation === feedback.generation) return feedback
  const givenBy = isGiver ? { ...feedback.givenBy, user: pseudonym } : feedback.givenBy
  const isAbout = feedback.generation[kind === "user" ? "user" : "externalUser"] === name
  return { ...(isAbout ? Struct.omit(feedback, ["comment"]) : feedback), givenBy, generation }
}

/** Only members own interns. */
export const renameIntern = (intern: Intern, { kind, name, pseudonym }: Renaming): Intern =>
  kind === "user" && intern.creator === name
    ? {
        ...intern,
        version: intern.version + 1,
        creator: UserId.make(pseudonym)
      }
    : intern

/** Who made an assignment; those of the person are removed. */
export const renameAssignment = (
  assignment: Assignment,
  { kind, name, pseudonym }: Renaming
): Assignment =>
  kind === "user" && assignment.assigned_by === name
    ? { ...assignment, assigned_by: pseudonym }
    : assignment

/** Who made a preset, and the version that it uses. */
export const renamePreset = (preset: StoredPreset, renaming: Renaming): StoredPreset => {
  const { kind, name, pseudonym } = renaming
  const version =
    preset.designated_version && renamePresetVersion(preset.designated_version, renaming)
  const isCreator = kind === "user" && preset.creator_user_id === name
  return isCreator || version !== preset.designated_version
    ? {
        ...preset,
        designated_version: version,
        ...(isCreator ? { creator_user_id: pseudonym } : undefined)
      }
    : preset
}

/** Renames the creator of a version, if that is the person. */
export const renamePresetVersion = (
  version: PresetVersion,
  { kind, name, pseudonym }: Renaming
): PresetVersion =>
  kind === "user" && version.creator_id === name ? { ...version, creator_id: pseudonym } : version

/** The person among the filters of a view, which then finds the records under the pseudonym. */
export const renameSavedView = (view: SavedView, renaming: Renaming): SavedView => {
  const { kind, name, pseudonym } = renaming
  const { filters } = view
  const { tag = "" } = filters
  const renamedTag = renameTagFilter(tag, renaming)
  const renamed = {
    ...(filters[kind] === name ? { [kind]: pseudonym } : undefined),
    ...(renamedTag === tag ? undefined : { tag: renamedTag })
  }
  return Object.keys(renamed).length === 0 ? view : { ...view, filters: { ...filters, ...renamed } }
}

/** `text` is a tag as filters write it, such as `owner:ada`; other texts stay. */
const renameTagFilter = (text: string, { name, pseudonym }: Renaming): string => {
  const tag = parseTag(text)
  return tag?.value === name ? `${tag.key}:${pseudonym}` : text
}

/** Who labelled an answer, or has a share of the labels. */
export const renameSample = <A extends Pick<CalibrationSample, "labeler">>(
  sample: A,
  { kind, name, pseudonym }: Renaming
): A =>
  kind === "user" && sample.labeler?.user === name
    ? { ...sample, labeler: { ...sample.labeler, user: pseudonym } }
    : sample

/** Maps name those whose labels weigh most. */
export const renameMaps = <A extends NamedMaps>(fitted: A, renaming: Renaming): A => {
  let isChanged = false
  const maps = fitted.maps.map((map) => {
    const labelers = map.labelers?.map((share) => renameSample(share, renaming))
    if (labelers?.every((share, at) => share === map.labelers?.[at]) !== false) return map
    isChanged = true
    return { ...map, labelers }
  })
  return isChanged ? { ...fitted, maps } : fitted
}

/** The part of `FittedMaps` that names persons. */
export interface NamedMaps {
  readonly maps: ReadonlyArray<{ readonly labelers?: ReadonlyArray<LabelerShare> }>
}

/** The states before and after a change have the fields of many resources, which name persons alike. */
export const renameAuditEntry = (entry: AuditEntry, renaming: Renaming): AuditEntry => {
  const { kind, name, pseudonym } = renaming
  const renamed: AuditEntry = {
    ...entry,
    ...(kind === "user" && entry.actor.user === name
      ? { actor: { ...entry.actor, user: UserId.make(pseudonym) } }
      : undefined),
    ...(kind === "user" && entry.target === name ? { target: pseudonym } : undefined),
    ...(entry.before === undefined ? undefined : { before: renameState(entry.before, renaming) }),
    ...(entry.after === undefined ? undefined : { after: renameState(entry.after, renaming) })
  }
  return JSON.stringify(renamed) === JSON.stringify(entry) ? entry : renamed
}

const personFields: Readonly<Record<Renaming["kind"], ReadonlySet<string>>> = {
  user: new Set([
    "allowed_user_ids",
    "assigned_by",
    "created_by",
    "creator",
    "creator_id",
    "creator_user_id",
    "members",
    "subject",
    "user",
    "user_id",
    "user_ids",
    "users"
  ]),
  external_user: new Set(["external_user", "external_user_id", "externalUser"])
}

const renameState = (state: unknown, renaming: Renaming): unknown => {
  const { kind, name, pseudonym } = renaming
  const visit = (value: unknown, isPerson: boolean, isTag = false): unknown => {
    if (typeof value === "string") return isPerson && value === name ? pseudonym : value
    if (Array.isArray(value)) return value.map((item) => visit(item, isPerson))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        typeof member === "string" && Object.hasOwn(renameText, key)
          ? renameText[key]!(member, renaming)
          : visit(member, isTag || personFields[kind].has(key), tagFields.has(key))
      ])
    )
  }
  return visit(state, false)
}

/** Texts that have a name within them, by their fields: budgets of a scope, and filters of saved views. */
const renameText: Readonly<Record<string, (text: string, renaming: Renaming) => string>> = {
  name: renameScopeName,
  tag: renameTagFilter
}

/** Objects whose values are those of tags, of a key or of the scope of a budget. */
const tagFields: ReadonlySet<string> = new Set(["tag", "tags"])
