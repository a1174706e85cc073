// A copy of the built core in which every function says that it is entered.
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const ts = createRequire(join(root, 'docs/package.json'))('typescript')

/** Below `core`, so that its dependencies are found. */
export const traced = join(root, 'packages/core/.build-traced')

/** The name by which a function is found in its file: its own, or that of the one that made it. */
function nameOf(node) {
  for (let at = node; at; at = at.parent) {
    if (ts.isClassLike(at.parent) || ts.isFunctionDeclaration(at)) return at.name?.text ?? at.name?.getText()
    if (ts.isVariableDeclaration(at) && ts.isSourceFile(at.parent.parent.parent)) return at.name.getText()
  }
  return ''
}

/** Has every function of a file say when it is entered, so that what it calls is known to be called by it. */
function telling(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const inserts = []
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body && !ts.isConstructorDeclaration(node)) {
      const isAsync = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)
      const call = `globalThis.__enter(${JSON.stringify(file)}, ${JSON.stringify(nameOf(node))}, ${isAsync ? 'async ' : ''}() =>`
      if (node.asteriskToken) throw new Error(`${file}: generators cannot be followed yet`)
      const [start, end] = [node.body.getStart(), node.body.getEnd()]
      const isBlock = ts.isBlock(node.body)
      inserts.push(isBlock ? [start + 1, `return ${call} {`] : [start, `${call} (`])
      ts.forEachChild(node, visit)
      inserts.push(isBlock ? [end - 1, '})'] : [end, '))'])
    } else ts.forEachChild(node, visit)
  }
  visit(source)
  const parts = []
  let end = 0
  for (const [at, word] of inserts.sort(([one], [other]) => one - other)) {
    parts.push(text.slice(end, at), word)
    end = at
  }
  return parts.join('') + text.slice(end).replace(/\/\/# sourceMappingURL.*/, '')
}

/** Makes the copy of the built core that tells what it does; the folder is the caller's to remove. */
export function makeTraced() {
  rmSync(traced, { recursive: true, force: true })
  const built = join(root, 'packages/core/dist')
  cpSync(built, traced, { recursive: true, filter: (file) => file !== join(built, 'bundle') })
  for (const file of globSync('**/*.js', { cwd: traced })) {
    if (!file.startsWith('providers/'))
      writeFileSync(join(traced, file), telling(file.replace(/js$/, 'ts'), readFileSync(join(traced, file), 'utf8')))
  }
}
