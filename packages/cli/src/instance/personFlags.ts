/** The flags that name a person. */
import * as Flag from "effect/cli/Flag"
import type * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { usageError } from "../usageError.ts"

export const personFlags = {
  user: Flag.String("user").pipe(
    Flag.withDescription("An acting user: whom the application authenticates, or a key belongs to"),
    Flag.optional
  ),
  externalUser: Flag.String("external-user").pipe(
    Flag.withDescription("The `user` that requests name"),
    Flag.optional
  )
}

interface PersonFlags {
  readonly user: Option.Option<string>
  readonly externalUser: Option.Option<string>
}

/** Exactly one of both. */
export const parsePerson = ({
  externalUser,
  user
}: PersonFlags): Effect.Effect<
  { readonly user: string } | { readonly external_user: string },
  CliError.UserError
> => {
  if (Option.isSome(user) && Option.isNone(externalUser)) {
    return Effect.succeed({ user: user.value })
  }
  return Option.isSome(externalUser) && Option.isNone(user)
    ? Effect.succeed({ external_user: externalUser.value })
    : usageError("name one person, by --user or by --external-user")
}
