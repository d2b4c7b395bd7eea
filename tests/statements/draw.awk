# draw.awk - a right program with one statement more, or one changed, at random.
#
#     awk -v seed=1 -v number=7 -v out=DIR -f draw.awk
#
# writes DIR/7.place, DIR/7.base.place (without the statement) and DIR/7.said: what the statement says, in words that
# meaning.awk reads. The same seed and number make the same files on every awk.

function draw(n) { # 0 .. n - 1
    state = (state * 16807) % 2147483647
    return int(state / 2147483647 * n)
}
function one_of(list,    parts, n) {
    n = split(list, parts, "|")
    return parts[1 + draw(n)]
}
function chance(percent) { return draw(100) < percent }

# ---- The program without it ------------------------------------------------------------------------------------------

function model_text(name) {
    if (name == "line")
        return "    h    = relu(linear(x, hidden) as one)\n" \
               "    loss = mean over batch, hidden of squared_error(linear(h, hidden) as two, y)\n"
    if (name == "masked")
        return "    input w : int[batch, hidden]\n    h    = relu(linear(x, hidden) as one)\n" \
               "    loss = mean over batch, hidden of squared_error(linear(h, hidden) as two, y) where w > 0\n"
    if (name == "fused") # weights of several things, one after another
        return "    repeat block[2] {\n        both = linear(x, fused(hidden, hidden)) as up\n" \
               "        x    = x + linear(silu(segment(both, 0)) * segment(both, 1), hidden) as down\n    }\n" \
               "    loss = mean over batch, hidden of squared_error(linear(x, hidden) as two, y)\n"
    if (name == "rows") # a context that can be cut
        return "    repeat block[2] {\n        x = x + attention(layernorm(x) as norm1, heads, causal) as attn\n" \
               "        x = x + dropout(mlp(x, 2 * hidden, relu) as mlp, 0.25)\n    }\n" \
               "    loss = mean over batch, context, hidden of squared_error(linear(x, hidden) as two, y)\n"
    if (name == "experts")
        return "    repeat block[2] {\n        x = x + moe(x, 4, 2, hidden, relu, capacity = 2) as moe\n" \
               "        x = x + linear(x, hidden) as one\n    }\n" \
               "    loss = mean over batch, context, hidden of squared_error(x, y) + 0.25 * mean over batch of load_balance(block.moe)\n"
    if (name == "total") # a sum, which nothing divides, next to a mean
        return "    h    = relu(linear(x, hidden) as one)\n" \
               "    loss = mean over batch, hidden of squared_error(linear(h, hidden) as two, y) + 0.125 * sum over batch, hidden of h * h\n"
    if (name == "normed")
        return "    h    = relu(batchnorm(linear(x, hidden) as one) as norm)\n" \
               "    loss = mean over batch, hidden of squared_error(linear(h, hidden) as two, y)\n"
    return "    repeat block[2] {\n        x = x + mlp(x, 4 * hidden, relu) as mlp\n        x = x + linear(x, hidden) as one\n    }\n" \
           "    loss = mean over batch, hidden of squared_error(x, y)\n"
}

function base(    ways) {
    model = one_of("line|masked|normed|layers|layers|layers|fused|fused|rows|rows|experts|experts|total")
    mesh = one_of("data: 2|data: 2, t: 2|data: 2, t: 2|data: 2, t: 1|data: 3, t: 2")
    ways = "data_parallel(data)|zero1(data)|zero2(data)|zero3(data)"
    strategy = one_of(ways)
    if (mesh ~ /t: 2/) {
        way = draw(model == "layers" ? 4 : 2)
        if (model in ways_of && chance(75)) {
            strategy = strategy " * " one_of(ways_of[model])
            way = 1
        }
        if (way == 0)
            strategy = strategy " * data_parallel(t)"
        if (way == 2)
            strategy = strategy " * tensor_parallel(t)"
        if (way == 3)
            strategy = one_of("data_parallel(data)|zero1(data)|zero2(data)") " * pipeline(t)"
    }
    micro = model == "normed" ? 1 : 1 + draw(2)
    optimizer = one_of("sgd|momentum|adamw")
    setting["optimizer"] = optimizer "(rate = 0.1)"
    setting["batch"] = micro > 1 ? "12 in 2 microbatches" : "12"
    setting["steps"] = "3"
    if (chance(50))
        setting["clip"] = "norm 1.0"
    if (chance(25))
        setting["precision"] = one_of("bf16, master f32, loss_scale dynamic|f64|f32, loss_scale dynamic|bf16, master f32")
    scaled = "precision" in setting && setting["precision"] ~ /dynamic/
    ema = chance(30)
    if (model != "normed" && chance(12))
        setting["contract"] = "stale(" 1 + draw(2) ")"
    if (strategy ~ /^data_parallel\(data\)/ && chance(25))
        setting["contract"] = "local(2) over data" (chance(50) ? " outer nesterov(rate = 0.5, momentum = 0.75)" : "")
    if (model == "normed" && !("contract" in setting) && chance(40)) {
        setting["contract"] = "statistics per " one_of("microbatch|replica over data")
        setting["batch"] = "12 in 2 microbatches"
        micro = 2
    }
}

function write_file(file, statement,    count, parts, i, key, n, order) {
    count = 1
    n = split(mesh, parts, ", ")
    for (i = 1; i <= n; i++)
        count *= substr(parts[i], index(parts[i], ":") + 2)
    printf "place 1\n" > file
    if (model ~ /^(rows|experts)$/)
        printf "model net(hidden = 8, context = 4, heads = 2) {\n    input x, y : f32[batch, context, hidden]\n%s}\n", model_text(model) > file
    else
        printf "model net(hidden = 8) {\n    input x, y : f32[batch, hidden]\n%s}\n", model_text(model) > file
    printf "cluster machine { %d devices of cpu }\nmesh grid on machine { %s }\n", count, mesh > file
    if (ema)
        printf "state ema { one per parameter; update after optimizer : 0.5 * ema + 0.5 * parameters }\n" > file
    printf "strategy mine() {\n%s}\n", statement > file
    printf "train net on grid {\n    strategy  %s * mine()\n", strategy > file
    n = split("optimizer batch steps clip precision seed saved loaded contract", order, " ")
    for (i = 1; i <= n; i++)
        if (order[i] in setting)
            printf "    %s %s\n", order[i], setting[order[i]] > file
    printf "}\n" > file
    close(file)
}

# ---- The statement ---------------------------------------------------------------------------------------------------

function axes_of_mesh() { return mesh ~ /t:/ ? one_of("data|data|t|data, t") : "data" }

function say(line) { said = said line "\n" }

# " when C", or nothing; `left_out` is whether C does not hold.
function condition(percent,    text) {
    left_out = 0
    if (!chance(percent))
        return ""
    text = one_of("true|false|data > 1|data > 2|data == 2|data != 3|1 > 2|2 * data < 5|3 <= data + 1")
    left_out = text == "false" || text == "1 > 2" || (text ~ /^data > 2|^data == 3/ && size_of_data() < 3) || \
               (text ~ /data == 2|< 5|!= 3/ && size_of_data() == 3)
    return " when " text
}
function size_of_data() { return mesh ~ /data: 3/ ? 3 : 2 }

# One clause; what it says goes into `said`, unless it is left out.
function clause(operations, shards, moments, dtypes, waits,    op, text, axes, moment, rest, dtype, wait, scale, into) {
    op = one_of(operations)
    axes = moment = dtype = scale = "-"
    into = wait = rest = 0
    text = op
    if (op != "none" || (shards && chance(40))) {
        axes = axes_of_mesh()
        rest = op == "none" || (shards && chance(20))
        text = text " over " axes
    }
    if (op != "none" && shards == 1 && chance(35)) {
        into = 1
        text = text " into shards"
    }
    if (shards == 2 && (op ~ /^(sum|mean)$/ && chance(20) || op == "exchange")) {
        into = op != "exchange"
        text = text (into ? " into shards" : "") " by " one_of(dims_of())
    }
    if (op != "none" && moments && chance(60)) {
        moment = one_of("at step|each microbatch|after microbatch 0" (micro > 1 ? "|after microbatch 1" : ""))
        text = text " " moment
    }
    if (op != "none" && op != "broadcast" && chance(15)) {
        scale = one_of("1/2|2|1|data|1/data")
        text = text " scale " scale
    }
    if (op != "none" && waits != "" && chance(15)) {
        wait = 1
        text = text " wait " waits
    }
    if (op != "none" && dtypes && chance(20)) {
        dtype = one_of("f32|f64|bf16")
        text = text " in " dtype
    }
    text = text condition(12)
    if (rest)
        text = text " derive the rest"
    gsub(/, /, ",", axes)
    gsub(/ /, "_", moment)
    if (!left_out)
        say("clause " op " " axes " " moment " " into " " dtype " " wait " " scale " " rest)
    return text
}

function clauses(operations, shards, moments, dtypes, waits,    text) {
    text = clause(operations, shards, moments, dtypes, waits)
    if (text !~ /^none/ && chance(25))
        text = text " then " clause(operations, shards, moments, dtypes, waits)
    return text
}

function dims_of() { return model ~ /^(rows|experts)$/ ? "batch|context|hidden|heads" : "batch|hidden|hidden" }

function selected(all) { return chance(all) ? "" : one_of(labels_of[model]) }

function sync_statement(    target, selector, value, rest) {
    target = one_of("gradients|gradients|gradients|gradients|gradients|parameters|optimizer|norm|loss|count|" \
                    "activations|activations|activations|cotangents|step|rate|start" (ema ? "|ema|ema" : "") \
                    (optimizer == "adamw" ? "|adam_m" : "") (model == "normed" ? "|statistics|statistics" : "") \
                    ("clip" in setting ? "|clip_factor" : "") (scaled ? "|finite" : ""))
    selector = selected(70)
    if (target == "gradients" && model == "fused" && chance(60)) {
        selector = one_of("block.up|block.up.weight|block.up.bias|*.up")
        value = one_of("0|1|0, 1")
        rest = value
        gsub(/, /, ",", rest)
        say("sync segments " selector " " rest)
        return "sync gradients of " selector " segment " value " : " clauses("sum|sum|sum|mean|none", 0, chance(60), 1, "")
    }
    if (target == "gradients") {
        say("sync gradients " (selector == "" ? "-" : selector))
        return "sync gradients" (selector == "" ? "" : " of " selector) " : " clauses("sum|sum|mean|none", 1, 1, 1, "at step")
    }
    if (target == "start") {
        say("sync start -")
        value = axes_of_mesh()
        selector = value
        gsub(/, /, ",", selector)
        say("clause broadcast " selector " at_start 0 - 0 - 0")
        return "sync parameters : broadcast over " value " at start"
    }
    if (target == "parameters") {
        say("sync parameters " (selector == "" ? "-" : selector))
        return "sync parameters" (selector == "" ? "" : " of " selector) " : " \
               clause("sum|mean|gather|broadcast|none", 0, 0, 0, "at step")
    }
    if (target ~ /^(optimizer|ema|adam_m)$/) {
        say("sync " target " " (selector == "" ? "-" : selector))
        return "sync " target (selector == "" ? "" : " of " selector) " : " clauses("sum|mean|max|broadcast|none", 0, 0, 0, "at step")
    }
    if (target ~ /^(norm|loss)$/) {
        say("sync " target " -")
        return "sync " target " : " clause("sum|mean|none", 0, 0, 0, "")
    }
    if (target == "count") {
        say("sync count -")
        say("clause none - - 0 - 0 - 0")
        return "sync count : none"
    }
    if (target ~ /^(statistics|clip_factor|finite|step|rate)$/) {
        say("sync " target " -")
        return "sync " target " : " clauses("sum|mean|max|broadcast|none", 0, 0, 0, "")
    }
    value = target == "activations" ? one_of(values_of[model]) : one_of(cotangents_of[model])
    say("sync " target " " value)
    return "sync " target " of " value " : " clauses("sum|mean|max|broadcast|none|none|gather|exchange", 2, 0, 0, "at use")
}

function placement_statement(    state, mode, axes, selector, words, rest) {
    state = one_of("parameters|gradients|optimizer|activations" (ema ? "|ema" : ""))
    if (state == "activations") {
        selector = one_of(makers_of[model])
        mode = one_of("materialized|offloaded|sharded")
        axes = axes_of_mesh()
        words = axes
        gsub(/, /, ",", words)
        say("place activations " selector " " mode " " words)
        return "activations of " selector " " mode (mode == "sharded" ? " over " axes " by " one_of(model == "rows" ? "hidden|out|context|heads" : "hidden|out") : "") placement_condition()
    }
    selector = selected(60)
    mode = one_of("replicated|sharded|sharded|gathered|offloaded")
    axes = axes_of_mesh()
    rest = mode == "offloaded" ? " to host" : " over " axes
    if (mode == "gathered" && chance(30))
        rest = rest " kept until step"
    words = axes
    gsub(/, /, ",", words)
    say("place " state " " (selector == "" ? "-" : selector) " " mode " " words)
    return state (selector == "" ? "" : " of " selector) " " mode rest placement_condition()
}
function placement_condition(    text) {
    text = condition(12)
    if (left_out)
        said = "left out\n"
    return text
}

function option_statement(    key, value) {
    key = one_of("clip|precision|batch|optimizer|seed|saved|saved|saved|contract|contract|contract|contract|contract")
    if (key == "contract" && "contract" in setting)
        key = "saved"
    if (key == "saved") {
        setting[key] = one_of("parameters|optimizer" (ema ? "|ema" : "") (optimizer == "adamw" ? "|adam_m|adam_v" : "")) " " \
            one_of("flat|flat in buckets of 40|flat in buckets of 5 padded to 64|flat padded to 100|by rows over 2|by rows over 3|by segments over 2|by segments over 4")
        if (chance(50)) {
            setting["loaded"] = setting["saved"]
            if (chance(20))
                setting["loaded"] = substr(setting[key], 1, index(setting[key], " ")) one_of("flat|by rows over 2|by segments over 2")
        }
    }
    if (key == "contract") {
        value = one_of("data|t|data, t")
        setting[key] = one_of("stale(1)|stale(2)|stale(3)|local(2) over data|local(3) over data outer nesterov(rate = 0.25, momentum = 0.5)|" \
                              "exact|statistics per microbatch|statistics per replica over " value "|routing per group over " value "|" \
                              "masks in distribution over " value "|masks in distribution over " value " by " one_of("batch|context|hidden"))
        if (model == "experts" && chance(50))
            setting[key] = "routing per group over " value
        if (model == "rows" && chance(50))
            setting[key] = "masks in distribution over " value (chance(70) ? " by " one_of("batch|context|hidden") : "")
    }
    if (key == "clip")
        setting[key] = "norm " one_of("0.5|2.0|1e-3")
    if (key == "precision")
        setting[key] = one_of("f32|f64|bf16|bf16, master f32")
    if (key == "batch")
        setting[key] = one_of("24|12 in 3 microbatches|24 in 4 microbatches|6")
    if (key == "optimizer")
        setting[key] = one_of("sgd|momentum|adamw") "(rate = " one_of("0.1|0.01|0.3") ", warmup = " one_of("0|2") ")"
    if (key == "seed")
        setting[key] = one_of("1|7|12")
    say("option " key " " setting[key])
    if (key == "saved")
        say("saved " setting["saved"])
    if ("loaded" in setting)
        say("loaded " setting["loaded"])
    if (setting["contract"] ~ /^local/)
        say("copies " size_of_data())
    return ""
}

BEGIN {
    values_of["line"] = "h|one|one.product|loss.terms|loss|loss.sum|two|x"
    values_of["masked"] = "h|one.product|loss.count|loss.count.sum|loss.inverse_count|loss|loss.kept"
    values_of["normed"] = "h|one|norm|norm.mean.sum|loss.terms"
    values_of["layers"] = "block.mlp|block.mlp.up|block.mlp.product|x.2|block.x|loss.terms|block.one"
    values_of["fused"] = "block.up|block.up.product|block.both|block.x|block.down|block.down.product|x.2|loss.terms|two"
    values_of["rows"] = "block.attn|block.attn.product|block.attn.key|block.attn.value|block.attn.query|block.attn.scores|block.attn.mixed|block.mlp|block.mlp.product|x.2|loss.terms|block.norm1"
    values_of["experts"] = "block.moe|block.moe.inputs|block.moe.outputs|block.moe.dispatch|block.moe.combine|block.moe.probabilities|block.moe.load|block.one|x.2|loss"
    values_of["total"] = "h|one|loss.terms|loss|loss.sum|loss.2|two"
    cotangents_of["fused"] = "block.up|block.both|block.down|x.2|two"
    cotangents_of["rows"] = "block.attn|block.attn.key|block.attn.value|block.attn.query|block.attn.mixed|block.mlp|x.2|block.norm1|loss.terms"
    cotangents_of["experts"] = "block.moe|block.moe.inputs|block.moe.outputs|block.moe.combine|block.moe.probabilities|block.one|x.2"
    cotangents_of["total"] = "h|one|two"
    labels_of["line"] = labels_of["masked"] = labels_of["normed"] = labels_of["total"] = "*.weight|one"
    labels_of["layers"] = "*.weight|one|block|block.mlp"
    labels_of["fused"] = "*.weight|two|block|block.up|*.bias"
    labels_of["rows"] = "*.weight|two|block|block.attn|*.key"
    labels_of["experts"] = "*.weight|block.one|block.moe|*.up|block.moe.router"
    makers_of["line"] = makers_of["masked"] = makers_of["normed"] = makers_of["total"] = "h|one|two"
    makers_of["layers"] = "block|block.mlp|block.one"
    makers_of["fused"] = "block|block.up|block.down|two"
    makers_of["rows"] = "block|block.attn|block.mlp|*.scores"
    makers_of["experts"] = "block|block.moe|block.one"
    ways_of["fused"] = "tensor_parallel(t)|tensor_parallel(t)|pipeline(t)"
    ways_of["rows"] = "context_parallel(t)|context_parallel(t)|ring(t)|ulysses(t)|tensor_parallel(t)|tensor_parallel(t, sequence_parallel = true)"
    ways_of["experts"] = "expert_parallel(t)|expert_parallel(t)|expert_parallel(t)|tensor_parallel(t)"
    cotangents_of["line"] = "h|one|two|loss.terms"
    cotangents_of["masked"] = "h|one|two"
    cotangents_of["normed"] = "h|norm|two"
    cotangents_of["layers"] = "block.mlp|block.mlp.up|x.2|block.one|loss.terms"
    state = (seed * 7919 + number * 104729 + 12345) % 2147483646 + 1
    for (i = 0; i < 20; i++)
        draw(2)
    base()
    write_file(out "/" number ".base.place", "")
    kind = draw(10)
    statement = kind < 6 ? sync_statement() : kind < 9 ? placement_statement() : option_statement()
    say("micro " (setting["batch"] ~ /in/ ? substr(setting["batch"], index(setting["batch"], "in ") + 3, 1) : 1))
    say("strategy " strategy)
    say("model " model)
    printf "%s", said > (out "/" number ".said")
    write_file(out "/" number ".place", statement == "" ? "" : "    " statement "\n")
}
