-- Gives wrk its requests, one a line of a file, in turn: `wrk … URL -- paths FILE` or `… -- bodies FILE`.

local requests, at = {}, 0

function init(args)
  for line in io.lines(args[2]) do
    local request = args[1] == "paths" and wrk.format("GET", line) or wrk.format("POST", nil, nil, line)
    requests[#requests + 1] = request
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
