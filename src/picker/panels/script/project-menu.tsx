// The script that is open, as svcd keeps it: its name, whether it is kept, the others, and what can be done with it.

import {
  forget,
  isKept,
  isWritten,
  nameOf,
  notKept,
  openProject,
  project,
  projects,
  rename,
  saveCopy,
} from '../../project.js';
import { hasSession } from '../../extras.js';
import { extraWords } from '../../words/extras.js';
import { Button, Problem } from '../controls.js';
import { Menu } from '../menu.js';

export function ProjectMenu() {
  const text = extraWords.value;
  if (!hasSession()) return null;
  const { value } = project;
  const others = projects.value.filter(({ id }) => id !== value?.id);
  if (value === undefined && others.length === 0 && isKept.value) return null;
  const state = isKept.value ? (isWritten() ? text.isKept : text.isKeeping) : text.isNotKept;
  return (
    <div class="project">
      <Menu shown={<>▤ {value === undefined ? text.scripts : nameOf(value)} ▾</>}>
        {(act) => (
          <>
            {value !== undefined && (
              <>
                <label class="pick">
                  <span>{text.scriptName}</span>
                  {/* What is typed stays while the script is being kept. */}
                  <input
                    key={value.id}
                    type="text"
                    maxLength={60}
                    defaultValue={value.name}
                    placeholder={nameOf(value)}
                    onChange={(event) => rename(event.currentTarget.value)}
                  />
                </label>
                <Button onClick={act(() => void saveCopy())}>{text.saveCopy}</Button>
                <Button onClick={act(() => void forget())}>{text.forget}</Button>
              </>
            )}
            {others.map((one) => (
              <Button key={one.id} onClick={act(() => void openProject(one.id))}>
                ▤ {nameOf(one)}
              </Button>
            ))}
          </>
        )}
      </Menu>
      <span class="quiet-text" role="status">
        {value !== undefined || !isKept.value ? state : ''}
      </span>
      <Problem>{notKept.value}</Problem>
    </div>
  );
}
