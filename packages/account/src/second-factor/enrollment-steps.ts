import { type ActionResult, type FeatureRequest, getText } from '@postern/core/feature'
import {
  type CodePurpose,
  consumeMailedCode,
  getTicketUser,
  isMailedCode,
  type MailState
} from '../mail/mailed-code.ts'
import { consumeEnrollment, type Enrollment, saveEnrollment, showKey } from './enrollment.ts'
import type { EnrollProps, EnrollStep } from './props.ts'
import type { SecondFactorSetup } from './second-factor-setup.ts'
import type { TextKey } from './texts.ts'

/** An enrollment, and what its mailed code is for. */
export interface MailedEnrollment {
  readonly enrollment: Enrollment
  readonly purpose: CodePurpose
  /** What {@link withProof} returned. */
  readonly mail: MailState
}

/** @returns Whether a mailed code is still needed: not after it was right, for the address that the user has now. */
export function withProof(mail: MailState, { provenEmail }: Enrollment, { user }: CodePurpose): MailState {
  return provenEmail !== null && provenEmail === user.email ? 'none' : mail
}

/** The enrollment, whose mailbox is proven, or why the code was refused; `null` if it must be sent first. */
type Proven = { readonly enrollment: Enrollment } | { readonly problem: TextKey | null }

/**
 * Verifies the mailed code and uses it up, if one is needed. The enrollment keeps that it was right, so that a wrong code of the app
 * loses nothing.
 */
export async function proveMailbox(
  { enrollment, purpose, mail }: MailedEnrollment,
  { body }: Pick<FeatureRequest, 'body'>,
  setup: SecondFactorSetup
): Promise<Proven> {
  if (mail === 'none') return { enrollment }
  const typed = getText(body, 'mailCode')
  // The code was ended by wrong ones, in another tab.
  if (mail === 'send') return { problem: typed ? 'mailWrong' : null }
  const isRight = await isMailedCode(purpose, typed ?? '', setup.context)
  if (!isRight || !(await consumeMailedCode(purpose, setup.context))) return { problem: 'mailWrong' }
  if (!(await consumeEnrollment(enrollment.id, setup))) return { problem: 'conflict' }
  const proven = { ...enrollment, provenEmail: purpose.user.email ?? null }
  await saveEnrollment(proven, getTicketUser(purpose), setup)
  return { enrollment: proven }
}

/** The step that is due: the visitor goes on from the key to the code without a change on the server. */
function getStep({ query }: FeatureRequest, { mail, problem }: Pick<EnrollProps, 'mail' | 'problem'>): EnrollStep {
  if (mail !== 'none') return 'mail'
  return problem === 'codeWrong' || getText(query, 'step') === 'code' ? 'code' : 'key'
}

/** Shows the step of an enrollment that is due. */
export async function showStep(
  { enrollment, purpose: { user }, mail }: MailedEnrollment,
  page: Omit<EnrollProps, 'key' | 'mail' | 'step'>,
  request: FeatureRequest,
  setup: SecondFactorSetup
): Promise<ActionResult> {
  const { problem } = page
  const key = await showKey(enrollment, user, request, setup)
  const props: EnrollProps = { ...page, key, mail, step: getStep(request, { mail, problem }) }
  return request.screen('enroll', props, { status: problem === null ? 200 : 400 })
}

/** Whether the form has the mailed code alone: the key is shown next. A client may post both codes at once. */
export function isMailStep({ body }: Pick<FeatureRequest, 'body'>): boolean {
  return getText(body, 'mailCode') !== null && getText(body, 'code') === null
}
