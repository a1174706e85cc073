// What a workflow of the repository may do: GitHub's “Security hardening for GitHub Actions”, and npm's “Trusted publishing”.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { root } from './blocks.mjs'

const files = globSync('.github/workflows/*.y{,a}ml', { cwd: root })
const workflows = files.map((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  return { name: basename(file), text, workflow: parse(text) }
})
const jobsOf = ({ name, workflow }) =>
  Object.entries(workflow.jobs).map(([id, job]) => ({ title: `${name}: ${id}`, job, defaults: workflow.permissions }))
const jobs = workflows.flatMap(jobsOf)
const getCommands = ({ steps }) => steps.map(({ run = '' }) => run).join('\n')

/** What executes code of the repository, or of packages that were installed. */
const executesCode = /\.ci\/run|npx|pnpm|npm (?:ci|install|test|run|exec)|turbo|node (?!-p)\S|scripts\//

t.test('actions are named by commit: a tag can be moved', async (t) => {
  t.ok(files.length >= 2)
  for (const { title, job } of jobs)
    for (const { uses } of job.steps.filter((step) => step.uses))
      t.match(uses, /^actions\/[\w-]+@[0-9a-f]{40}$/, `${title}: ${uses}`)
  for (const { text } of workflows)
    for (const [line] of text.matchAll(/^.*uses:.*$/gm))
      t.match(line, /# v\d+\.\d+\.\d+$/, 'with the version beside it')
})

t.test('what runs tests, or anything that was installed, cannot publish', async (t) => {
  for (const { title, job, defaults } of jobs) {
    const permissions = job.permissions ?? defaults
    const canPublish = Object.values(permissions).some((access) => access === 'write')
    if (!canPublish)
      t.ok(
        Object.values(permissions).every((access) => access === 'read'),
        title
      )
    else {
      t.same([title, permissions, job.environment], ['release.yml: publish', { 'id-token': 'write' }, 'npm'])
      t.notMatch(getCommands(job), executesCode, 'it runs nothing but npm, and no script of a package')
      t.notOk(job.steps.some(({ uses = '' }) => uses.startsWith('actions/checkout@')))
      t.notOk(job.container, 'an image can be replaced')
    }
  }
  for (const { text } of workflows) t.notMatch(text, /secrets\.|NODE_AUTH_TOKEN|_authToken/, 'no token is kept')
})

t.test(
  'what is published was built by another job, without install scripts, and has the checksums of that job',
  async (t) => {
    const { build, publish, test } = workflows.find(({ name }) => name === 'release.yml').workflow.jobs
    t.same(publish.needs, ['test', 'build'])
    t.match(getCommands(test), '.ci/run')
    t.notMatch(getCommands(build), /\.ci\/run|npm test|rehearse/)
    t.match(getCommands(build), 'pnpm install --frozen-lockfile --ignore-scripts')
    t.match(build.outputs, { checksums: /steps\.pack\.outputs\.checksums/ })
    const [verify, publication] = publish.steps.filter(({ run }) => run)
    t.match(verify.env, { CHECKSUMS: /needs\.build\.outputs\.checksums/ })
    t.match(verify.run, 'sha256sum --check --strict')
    const calls = publication.run.match(/npm publish.*/g)
    t.same(calls, ['npm publish "./$file" --access public --provenance --ignore-scripts'])
  }
)

t.test('the Node of a release is that of the workspace, by the action, and no registry is named', async (t) => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { text, workflow } = workflows.find(({ name }) => name === 'release.yml')
  for (const [id, { steps }] of Object.entries(workflow.jobs)) {
    const [setup] = steps.filter(({ uses = '' }) => uses.startsWith('actions/setup-node@'))
    t.same(setup?.with, { 'node-version': devDependencies.node }, id)
    t.notMatch(getCommands({ steps }), /node_modules\/\.bin\/node|npm install.* node@/, id)
  }
  t.notMatch(text, /https?:\/\/|registry/)
})
