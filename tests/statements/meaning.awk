# meaning.awk - whether a step program does what a statement says, read off its text: which buffers there are and how
# they are, which communication there is on what, over which axes and when. It shares nothing with the compiler.
#
#     awk -v said=7.said -f meaning.awk 7.base.step 7.step
#
# prints what does not fit, and nothing where all does. The first program is the one without the statement.

function wrong(text) { print text }

# ---- Reading ---------------------------------------------------------------------------------------------------------

# "a, b" over axes larger than one, in the order of the mesh: "a,b"; "" none.
function larger(list,    parts, n, i, text, have) {
    gsub(/[, ]+/, " ", list)
    n = split(list, parts, " ")
    for (i = 1; i <= n; i++)
        have[parts[i]] = 1
    for (i = 1; i <= axis_count; i++)
        if (axis_name[i] in have && axis_size[axis_name[i]] > 1)
            text = text (text == "" ? "" : ",") axis_name[i]
    return text
}

function size_of(list,    parts, n, i, size) {
    size = 1
    n = split(list, parts, ",")
    for (i = 1; i <= n; i++)
        size *= axis_size[parts[i]]
    return size
}

function read_buffer(    i, name, rest) {
    name = $2
    buffers[++buffer_count] = name
    dtype_of[name] = $3
    rest = $0
    cut_of[name] = unit_of[name] = state_of[name] = ""
    host[name] = rest ~ / on host/
    persistent[name] = rest ~ / persistent/
    category[name] = rest ~ / gradients/ ? "gradients" : rest ~ / optimizer/ ? "optimizer" : rest ~ / parameters/ ? "parameters" : "other"
    if (match(rest, / state [A-Za-z0-9_.]+/))
        state_of[name] = substr(rest, RSTART + 7, RLENGTH - 7)
    if ($4 == "unit") {
        i = index($5, "/")
        unit_of[name] = i > 0 ? substr($5, 1, i - 1) : $5
        cut_of[name] = i > 0 ? substr($5, i) "/" : ""
    } else {
        match(rest, /\[[^]]*\]/)
        cut_of[name] = substr(rest, RSTART, RLENGTH)
        gsub(/[],]/, "/", cut_of[name])
    }
}

function read_tensor(    parts, i, n) {
    tensors[++tensor_count] = $2
    match($0, /\[[^]]*\]/)
    n = split(substr($0, RSTART + 1, RLENGTH - 2), parts, ", ")
    elements_of[$2] = rows_of[$2] = parts[1] + 0
    for (i = 2; i <= n; i++)
        elements_of[$2] *= parts[i]
}

function read_op(    text, i, name) {
    text = $0
    sub(/^ +/, "", text)
    if (text !~ /^[A-Za-z_][^ ]* \+?= [a-z_]+\(/)
        return
    n_ops++
    name = $1
    sub(/\[.*/, "", name)
    sub(/:.*/, "", name)
    out[n_ops] = name
    kind[n_ops] = $3
    sub(/\(.*/, "", kind[n_ops])
    reduces[n_ops] = text ~ /\) max over/ ? "max" : "sum"
    from[n_ops] = $3
    sub(/^[a-z_]+\(/, "", from[n_ops])
    sub(/[],:[].*|\).*/, "", from[n_ops])
    over[n_ops] = ""
    if (match(text, / over [a-z_0-9]+(, [a-z_0-9]+)*/))
        over[n_ops] = larger(substr(text, RSTART + 6, RLENGTH - 6))
    factor[n_ops] = 1
    if (match(text, / scale -?[0-9]+\/[0-9]+/)) {
        split(substr(text, RSTART + 7, RLENGTH - 7), parts, "/")
        factor[n_ops] = parts[1] / parts[2]
    }
    event[n_ops] = match(text, / event [0-9]+/) ? substr(text, RSTART + 7, RLENGTH - 7) : ""
    routine_of[n_ops] = routine
    inside[n_ops] = place
    full[n_ops] = text
}

# Where the current line stands: "micro", "guard", "layers", in the order of the braces.
function open_brace(what) { place = place "/" what }
function close_brace() { sub(/\/[a-z0-9.]*$/, "", place) }

function read_program(file,    line) {
    buffer_count = n_ops = axis_count = 0
    program = reference = ""
    tensor_count = join_every = 0
    part = place = routine = ""
    while ((getline line < file) > 0) {
        sub(/  # .*/, "", line)
        $0 = line
        if (part == "" && $1 == "axis") {
            axis_name[++axis_count] = $2
            axis_size[$2] = $3
        }
        if (part == "" && $1 == "unit")
            members[$2] = line
        if (part == "" && $1 == "tensor" && $3 == "parameter")
            read_tensor()
        if (part == "" && $1 == "state" && $4 == "per_parameter")
            has_state[$2] = $3
        if (part == "" && ($1 == "saved" || $1 == "loaded"))
            runs[$1 " " $2] = substr(line, index(line, "=") + 2)
        if (part == "reference")
            reference = reference line "\n"
        if (part == "reference" && $1 == "buffer" && match(line, /\[[^]]*\]/))
            reference_dims[$2] = substr(line, RSTART + 1, RLENGTH - 2)
        if (part == "" && $1 == "micro")
            micro = $2
        if (part == "" && $1 == "compute")
            compute = $2
        if ($1 == "reference" || $1 == "program")
            part = $1
        if (part == "program")
            program = program line "\n"
        if (part != "program")
            continue
        if ($1 == "buffer")
            read_buffer()
        else if ($1 == "routine") {
            routine = $2
            place = ""
            if (routine == "join")
                join_every = $4
        } else if ($1 == "loop")
            open_brace($3)
        else if ($1 == "guard")
            open_brace("guard" $NF == "{" ? "guard" $(NF - 1) : "guard")
        else if ($1 == "wait")
            waits[$2 + 0] = place # of an event with slots, of any of these
        else if ($1 == "}")
            close_brace()
        else
            read_op()
    }
    close(file)
}

# ---- What is selected ------------------------------------------------------------------------------------------------

# Whether a name is at or below a label, `*.x` anywhere.
function below(name, label) {
    if (label == "-")
        return 1
    if (label ~ /^\*\./)
        return ("." name ".") ~ ("[.]" substr(label, 3) "[.]")
    return name == label || index(name, label ".") == 1
}

# Whether all members of the unit are selected, or none; of some alone the compiler makes a unit, but for what is placed
# so anyway, `together`.
function selected_unit(unit, label, together,    text, parts, n, i, some, all) {
    text = members[unit]
    sub(/^.* = /, "", text)
    gsub(/\[[^]]*\]/, "", text)
    n = split(text, parts, ", ")
    all = 1
    for (i = 1; i <= n; i++)
        if (below(parts[i], label))
            some = 1
        else
            all = 0
    if (some && !all && !together)
        wrong("the unit " unit " has members that the statement names and others")
    return some
}

function communicates(k) { return k ~ /^(all_reduce|reduce_scatter|all_gather|all_to_all|broadcast|permute)$/ }

# ---- What a sync says ------------------------------------------------------------------------------------------------

# The operators that clause `c` is: "all_reduce sum data,t", one a line; of a broadcast one per axis.
function wanted(c,    axes, parts, n, i, text) {
    axes = larger(c_axes[c])
    if (c_op[c] == "none" || axes == "")
        return ""
    if (c_op[c] == "broadcast") {
        n = split(axes, parts, ",")
        for (i = 1; i <= n; i++)
            text = text "broadcast " parts[i] "\n"
        return text
    }
    if (c_op[c] == "gather")
        return "all_gather " axes "\n"
    if (c_op[c] == "exchange")
        return "all_to_all " axes "\n"
    return (c_into[c] ? "reduce_scatter " : "all_reduce " (c_op[c] == "max" ? "max " : "sum ")) axes "\n"
}

function said_of(i) {
    return kind[i] (kind[i] == "all_reduce" ? " " reduces[i] : "") " " over[i]
}

# The scale that the clauses come to, sizes and all.
function wanted_scale(    c, scale, parts, n) {
    scale = 1
    for (c = 1; c <= clause_count; c++) {
        if (c_scale[c] != "-") {
            n = split(c_scale[c], parts, "/")
            scale *= number_of(parts[1])
            if (n == 2)
                scale /= number_of(parts[2])
        }
        if (c_op[c] == "mean")
            scale /= size_of(larger(c_axes[c]))
    }
    return scale
}
function number_of(text) { return text in axis_size ? axis_size[text] : text }

function named_axes(    c, text) {
    for (c = 1; c <= clause_count; c++)
        text = text "," c_axes[c]
    return text ","
}

function rest_is_derived(    c) {
    for (c = 1; c <= clause_count; c++)
        if (c_rest[c])
            return 1
    return 0
}

# Whether the operator is over none of the axes that the statement names.
function over_others(i,    parts, n, j) {
    n = split(over[i], parts, ",")
    for (j = 1; j <= n; j++)
        if (index(named_axes(), "," parts[j] ",") > 0)
            return 0
    return 1
}

# Whether a scale is the program's own: the update of `ema` begins with one, others stand in the first program, too.
function is_own(what, i, times) {
    if (what ~ /^ema of/)
        return factor[i] == 0.5 && ++times[what] == 1
    return ++times[full[i]] <= times_before[full[i]]
}

# Of the operators that `mine` marks: exactly those of the clauses, in their order, at their moment, in their dtype.
function check_done(what,    times, c, lists, n, next_want, i, product, text, got) {
    text = ""
    for (c = 1; c <= clause_count; c++)
        text = text wanted(c)
    n = split(text, lists, "\n") - 1
    next_want = 1
    product = 1
    for (i = 1; i <= n_ops; i++) {
        if (!mine[i])
            continue
        if (kind[i] == "scale" && from[i] == out[i] && !is_own(what, i, times))
            product *= factor[i]
        if (!communicates(kind[i]) || over[i] == pipeline)
            continue
        got = said_of(i)
        if (next_want <= n && got == lists[next_want]) {
            check_moment(what, i, next_want)
            next_want++
            if (staged && next_want > n) # each stage has operators of its own
                next_want = 1
        } else if (!(rest_is_derived() && over_others(i)))
            wrong(what ": `" full[i] "` is none of its clauses")
    }
    if (next_want <= n && !(staged && next_want == 1))
        wrong(what ": `" lists[next_want] "` is not done")
    if (!staged && (product - wanted_scale() > 1e-9 || wanted_scale() - product > 1e-9))
        wrong(what ": scaled by " product " in the place of " wanted_scale())
}

# A clause with one operator has its number.
function clause_at(index_,    c, n) {
    for (c = 1; c <= clause_count; c++) {
        n = split(wanted(c) "\n", lists_of, "\n") - 2 # nothing over axes of one rank
        if (index_ <= n)
            return c
        index_ -= n
    }
    return 0
}

# Of a broadcast over several axes, one after another, the last is what continues.
function goes_on(c, i,    axes) {
    axes = larger(c_axes[c])
    return c_op[c] != "broadcast" || over[i] == substr(axes, length(axes) - length(over[i]) + 1)
}

function check_moment(what, i, index_,    c, in_loop, guarded) {
    c = clause_at(index_)
    in_loop = inside[i] ~ /\/micro/
    guarded = inside[i] ~ /\/guard/
    if (what ~ /^gradients/ && micro > 1 && !staged) {
        if (c_moment[c] == "each_microbatch" ? !in_loop || guarded : c_moment[c] ~ /^after/ ? !in_loop || !guarded : in_loop)
            wrong(what ": `" full[i] "` is not done " c_moment[c])
    }
    if (c_wait[c] && goes_on(c, i) && (event[i] == "" || !(event[i] in waits)))
        wrong(what ": `" full[i] "` is not waited for")
    if (!c_wait[c] && event[i] != "")
        wrong(what ": `" full[i] "` is started only")
    if (c_dtype[c] != "-" && dtype_of[out[i]] != c_dtype[c])
        wrong(what ": `" full[i] "` is in " dtype_of[out[i]])
}

# Marks the operators on buffers of a unit, of a state, in a routine.
function mark(unit, state, name,    i) {
    for (i = 1; i <= n_ops; i++)
        mine[i] = routine_of[i] == name && unit_of[out[i]] == unit && is_state(out[i], state)
}

function is_state(buffer, state) {
    if (state == "gradients")
        return state_of[buffer] == "gradients" && buffer !~ /^(full|parameter)/
    if (state == "parameters")
        return state_of[buffer] == "parameters" && persistent[buffer]
    if (state == "optimizer")
        return persistent[buffer] && category[buffer] == "optimizer" && state_of[buffer] != "ema"
    return persistent[buffer] && state_of[buffer] == state
}

function check_units(state, label, name,    unit, found, i, b, seen) {
    for (unit in members) {
        if (!selected_unit(unit, label))
            continue
        found = 1
        if (state != "optimizer") {
            mark(unit, state, name)
            check_done(state " of " unit)
            continue
        }
        for (b = 1; b <= buffer_count; b++) { # each of its states
            if (unit_of[buffers[b]] != unit || !is_state(buffers[b], state))
                continue
            for (i = 1; i <= n_ops; i++)
                mine[i] = routine_of[i] == name && out[i] == buffers[b] && (communicates(kind[i]) || kind[i] == "scale")
            check_done(buffers[b])
        }
    }
    if (!found)
        wrong("no unit of " label)
}

# Of each parameter that is selected, the segments by themselves: pieces that are taken out, and put back.
function check_segments(    t, k, n, parts, i, found, name) {
    n = split(said_segments, parts, ",")
    for (t = 1; t <= tensor_count; t++) {
        if (!below(tensors[t], said_label))
            continue
        for (k = 1; k <= n; k++) {
            name = "gradient." tensors[t] "." parts[k]
            for (i = 1; i <= n_ops; i++) {
                mine[i] = routine_of[i] == "step" && (out[i] == name || index(out[i], name ".") == 1)
                found = found || mine[i]
            }
            check_done("gradients " name)
        }
    }
    for (c = 1; c <= clause_count; c++)
        if (wanted(c) != "" && !found)
            wrong("no segment of " said_label)
}

# A value: what communicates it, under whatever name it then has, in the step and where it is evaluated.
function check_value(name, prefix, where,    i, base, any, place_of, at, places, p) {
    sub(/\.sum$/, "", name)
    for (i = 1; i <= n_ops; i++) {
        base = out[i]
        sub(/\.(gathered|scattered|exchanged|sum)$/, "", base)
        if (routine_of[i] != where || (base != prefix name && out[i] != prefix name)) {
            place_of[i] = "nowhere"
            continue
        }
        # What passes from layer to layer is made outside them, too: each time it is whole.
        place_of[i] = at = name == "x.2" && !staged ? inside[i] : ""
        any = 1
        if (kind[i] != "slice") # that is taken from it again
            places[at] = 1
    }
    for (p in places) {
        for (i = 1; i <= n_ops; i++)
            mine[i] = place_of[i] == p
        check_done(prefix name)
    }
    return any
}

function check_sync(    target, label, any, i, sums) {
    target = said_target
    label = said_label
    if (target == "gradients")
        check_units("gradients", label, "step")
    else if (target == "segments")
        check_segments()
    else if (target == "start")
        check_units("parameters", label, "init")
    else if (target ~ /^(parameters|optimizer|ema|adam_m)$/)
        check_units(target, label, "step")
    else if (target == "count")
        check_count()
    else if (target == "norm" || target == "loss" || target == "statistics") {
        for (i = 1; i <= n_ops; i++)
            if (target == "statistics" ? state_of[out[i]] == "statistics" : \
                target == "norm" ? out[i] ~ /^(norm_squared|scaled_squares)/ : out[i] ~ /^(loss\.sum|eval\.loss(\.total)?\.sum)$/)
                sums[routine_of[i] " " out[i]] = 1
        for (any in sums) {
            for (i = 1; i <= n_ops; i++)
                mine[i] = routine_of[i] " " out[i] == any && any !~ /^init/ && (communicates(kind[i]) || kind[i] == "scale")
            if (any !~ /^init/)
                check_done(any)
        }
    } else if (target == "cotangents")
        any = check_value(label, "d_", "step")
    else {
        any = check_value(target == "activations" ? label : target, "", "step")
        if (label ~ /^loss(\.sum)?$/ && ("eval.loss.total.sum" in dtype_of)) # computed from complete sums: their sum is the loss's
            label = "loss.total"
        any += check_value(target == "activations" ? label : target, "eval.", "eval")
        if (!any)
            wrong("nothing is called " label)
    }
}

# Every rank divides by its own count: nothing sums one, or the parts of the loss are weighted by it.
function check_count(    i, counted, weighted) {
    for (i = 1; i <= n_ops; i++) {
        if (out[i] ~ /(^|\.)loss\.count(\.sum)?$/ && communicates(kind[i]))
            wrong("`" full[i] "` sums the count")
        counted += out[i] ~ /loss\.count/
        weighted += out[i] ~ /loss\.terms\.weighted$/
    }
    if (!counted && !weighted)
        wrong("nothing is divided by a rank's own count")
}

# ---- What a placement says -------------------------------------------------------------------------------------------

function check_place(    unit, b, name, parts, n, i, cut, found, many, want, flat) {
    if (said_label2 == "activations") {
        check_activations()
        return
    }
    n = split(larger(said_axes), parts, ",")
    for (b = 1; b <= buffer_count; b++) {
        name = buffers[b]
        if (unit_of[name] == "" || !selected_unit(unit_of[name], said_label, 1))
            continue
        if (said_label2 == "gradients" ? name != "gradients." unit_of[name] : !is_state(name, said_label2))
            continue
        found = 1
        if (said_mode == "offloaded") {
            if (!host[name])
                wrong(name " is not on the host")
            continue
        }
        for (i = 1; i <= n; i++) {
            cut = index(cut_of[name], "/" parts[i] "/") > 0
            want = said_mode != "replicated"
            if (cut != want && !(said_label2 == "parameters" && dims_cut(unit_of[name], parts[i])))
                wrong(name (cut ? " is" : " is not") " cut over " parts[i])
        }
        flat = 0
        for (i = 1; i <= n; i++) # what is cut by a dim is so by a statement that says more, which wins
            flat += !dims_cut(unit_of[name], parts[i])
        if (said_mode == "gathered" && flat > 0) {
            many = 0
            for (i = 1; i <= n_ops; i++)
                many += routine_of[i] == "step" && kind[i] == "all_gather" && from[i] == name
            if (many == 0 && !staged)
                wrong(name " is never gathered")
        }
    }
    if (!found && said_label2 != "optimizer")
        wrong("no buffer of " said_label2)
}

function dims_cut(unit, axis) { return members[unit] ~ ("/" axis "[],/]") }

function check_activations(    i, b, times, found, cut, parts, n) {
    n = split(larger(said_axes), parts, ",")
    for (i = 1; i <= n_ops; i++)
        if (routine_of[i] == "step" && below(out[i], said_label) && full[i] !~ / \+= /)
            times[out[i]]++
    for (b = 1; b <= buffer_count; b++) {
        if (!below(buffers[b], said_label) || category[buffers[b]] != "other" || unit_of[buffers[b]] != "")
            continue
        if (said_mode == "materialized")
            found = found || times[buffers[b]] > 1
        if (said_mode == "offloaded")
            found = found || host[buffers[b]]
        for (i = 1; said_mode == "sharded" && i <= n; i++)
            found = found || index(cut_of[buffers[b]], "/" parts[i] "/") > 0
    }
    for (b = 1; b <= buffer_count; b++) # a part of the values may have another name on the host
        found = found || (said_mode == "offloaded" && host[buffers[b]] && index(buffers[b], said_label) > 0)
    if (!found && !(said_mode == "sharded" && n == 0))
        wrong("no activation of " said_label " is " said_mode)
}

# ---- Where a checkpoint has things -----------------------------------------------------------------------------------

# Where every parameter's elements are: "COUNT of NAME LAYER FIRST, ...". Those outside blocks come first, then layers.
function layout(text,    said_copies, all, c, one) {
    one = text ~ / flat/ ? flat_layout(text) : rows_layout(text)
    said_copies = copies > 1 ? copies : 1
    for (c = 0; c < said_copies; c++)
        all = all (c > 0 ? ", " : "") (c > 0 ? marked(one, c) : one)
    return all
}
function marked(text, copy,    parts, n, i) {
    n = split(text, parts, ", ")
    text = ""
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? ", " : "") parts[i] (parts[i] ~ / padding$/ ? "" : " copy " copy)
    return text
}
function in_order(    layer, t) {
    order_count = 0
    for (layer = -1; layer < 2; layer++)
        for (t = 1; t <= tensor_count; t++)
            if ((layer < 0) == (tensors[t] !~ /^block\./)) {
                order_of[++order_count] = tensors[t]
                layer_of[order_count] = layer < 0 ? 0 : layer
            }
}
function flat_layout(text,    bucket, pad, i, have, list, rest) {
    bucket = match(text, /buckets of [0-9]+/) ? substr(text, RSTART + 11, RLENGTH - 11) + 0 : 0
    pad = match(text, /padded to [0-9]+/) ? substr(text, RSTART + 10, RLENGTH - 10) + 0 : 1
    in_order()
    for (i = 1; i <= order_count; i++) {
        list = list (list == "" ? "" : ", ") elements_of[order_of[i]] " of " order_of[i] " " layer_of[i] " 0"
        have += elements_of[order_of[i]]
        rest = (pad - have % pad) % pad
        if (i == order_count || (bucket > 0 && have >= bucket)) {
            list = list (rest > 0 ? ", " rest " padding" : "")
            have = 0
        }
    }
    return list
}
function rows_layout(text,    ranks, r, i, parts, s, rows, each, first, count, list) {
    ranks = substr(text, index(text, " over ") + 6) + 0
    in_order()
    for (r = 0; r < ranks; r++)
        for (i = 1; i <= order_count; i++) {
            parts = text ~ /segments/ && order_of[i] ~ /^block\.up\./ && said_model == "fused" ? 2 : 1
            rows = rows_of[order_of[i]] / parts
            each = elements_of[order_of[i]] / rows_of[order_of[i]]
            count = int(rows / ranks) + (r < rows % ranks)
            first = r * int(rows / ranks) + (r < rows % ranks ? r : rows % ranks)
            for (s = 0; s < parts && count > 0; s++)
                list = list (list == "" ? "" : ", ") count * each " of " order_of[i] " " layer_of[i] " " (s * rows + first) * each
        }
    return list
}

function check_saved(    parts, state, any) {
    split(said_of_option["saved"], parts, " ")
    for (state in has_state) {
        if (parts[1] == "optimizer" ? has_state[state] != "optimizer" || state == "ema" : state != parts[1])
            continue
        any = 1
        if (runs["saved " state] != layout(said_of_option["saved"]))
            wrong("saved " state " = " runs["saved " state] " in the place of " layout(said_of_option["saved"]))
        if (runs["loaded " state] != layout("loaded" in said_of_option ? said_of_option["loaded"] : said_of_option["saved"]))
            wrong("loaded " state " = " runs["loaded " state])
    }
    if (!any)
        wrong("no state " parts[1])
}

# ---- What a contract says --------------------------------------------------------------------------------------------

function check_contract(text,    parts, n, axes, size) {
    axes = text ~ / over / ? substr(text, index(text, " over ") + 6) : ""
    sub(/ (by|outer) .*/, "", axes)
    axes = larger(axes)
    size = size_of(axes)
    if (text == "exact") {
        if (program != before)
            wrong("`exact` changes the program")
    } else if (text ~ /^stale/)
        check_stale(substr(text, 7) + 0)
    else if (text ~ /^local/)
        check_copies(text, axes)
    else if (text ~ /^statistics/)
        check_dims("norm.mean", said_model == "normed", micro > 1 || size > 1, size > 1 ? micro "," size ",8" : micro ",8")
    else if (text ~ /^routing/)
        check_dims("block.moe.rows", said_model == "experts", size > 1, "[0-9]+," size "," 4 / size ",8")
    else if (text ~ /^masks/) {
        n = text ~ / by / ? substr(text, index(text, " by ") + 4) : "batch"
        parts["batch"] = "[0-9]+"
        parts["context"] = 4 / size
        parts["hidden"] = 8 / size
        check_dims("dropout.words", said_model == "rows", size > 1, (n == "batch" ? micro * size : size) "," parts[n])
    } else
        wrong("what is " text "?")
}

# A value of the one device has these dims, where the contract changes something.
function check_dims(name, has, changes, dims,    have) {
    have = reference_dims[name]
    gsub(/ /, "", have)
    if (!has || !changes) {
        if (reference != reference_before)
            wrong(name ": something is changed")
    } else if (have !~ "^" dims "$")
        wrong(name ": " have " in the place of " dims)
}

# Each gradient goes through as many states as it is steps old, the oldest first.
function check_stale(age,    i, unit, number, oldest, seen, to, name) {
    for (i = 1; i <= n_ops; i++) # of a step that may be skipped, what is kept is chosen at the end
        if (routine_of[i] == "step" && kind[i] == "select" && match(full[i], /select\(finite, [a-z0-9_.]+/)) {
            name = substr(full[i], RSTART + 15, RLENGTH - 15)
            to[name] = state_of[out[i]]
        }
    for (i = 1; i <= n_ops; i++) {
        if (routine_of[i] != "step" || kind[i] != "copy")
            continue
        unit = unit_of[out[i]]
        if (!(out[i] in to))
            to[out[i]] = state_of[out[i]]
        number = to[out[i]] ~ /^stale_gradient/ ? number_at_end(to[out[i]]) : 0
        if (out[i] ~ /^stale\./ && state_of[from[i]] ~ /^stale_gradient/) {
            seen[unit] = age
            if (number_at_end(state_of[from[i]]) != age)
                wrong(unit ": the gradient is taken from `" full[i] "`")
        } else if (number > 0) {
            if (number != seen[unit])
                wrong(unit ": `" full[i] "` is done out of turn")
            seen[unit]--
            if (number > 1 ? number_at_end(state_of[from[i]]) != number - 1 : state_of[from[i]] != "gradients")
                wrong(unit ": `" full[i] "` keeps something else")
        } else if (from[i] ~ /^stale\./) {
            if (seen[unit] != 0 || state_of[out[i]] != "gradients")
                wrong(unit ": `" full[i] "` comes too early")
            seen[unit] = "done"
        }
    }
    for (unit in members)
        if (seen[unit] != "done")
            wrong(unit ": its gradient is not stale")
    for (i = 1; i <= buffer_count; i++)
        oldest = number_at_end(state_of[buffers[i]]) > oldest && state_of[buffers[i]] ~ /^stale/ ? number_at_end(state_of[buffers[i]]) : oldest
    if (oldest != age)
        wrong("the oldest gradient is of " oldest " steps before")
}
function number_at_end(text) { return match(text, /_[0-9]+$/) ? substr(text, RSTART + 1) + 0 : 1 }

# Nothing is sent over these axes but in the join, where every parameter becomes the mean.
function check_copies(text, axes,    i, j, unit, sums, parts, every, rate, fast, has_rate, has_momentum) {
    every = substr(text, 7) + 0
    if (join_every != every)
        wrong("the copies are joined every " join_every " steps")
    n = split(axes, parts, ",")
    for (i = 1; i <= n_ops; i++) {
        if (communicates(kind[i]) && routine_of[i] != "join")
            for (j = 1; j <= n; j++)
                if (index("," over[i] ",", "," parts[j] ",") > 0)
                    wrong("`" full[i] "` is sent between copies")
        if (routine_of[i] == "join" && communicates(kind[i]) && over[i] == axes) {
            sums[unit_of[out[i]]]++
            if (full[i + 1] !~ / scale 1\// || out[i + 1] != out[i] || factor[i + 1] * size_of(axes) != 1)
                wrong("`" full[i] "` is no mean")
        }
        has_rate = has_rate || (routine_of[i] == "join" && kind[i] == "fill")
        has_momentum = has_momentum || (routine_of[i] == "join" && kind[i] == "momentum")
    }
    for (unit in members)
        if (sums[unit] != 1)
            wrong(unit ": joined " sums[unit] + 0 " times")
    rate = match(text, /rate = [0-9.]+/) ? substr(text, RSTART + 7, RLENGTH - 7) : ""
    fast = match(text, /momentum = [0-9.]+/) ? substr(text, RSTART + 11, RLENGTH - 11) : ""
    for (i = 1; i <= n_ops; i++) {
        if (routine_of[i] != "join")
            continue
        if (kind[i] == "fill" && index(full[i], "; " rate ")") == 0 || kind[i] == "momentum" && index(full[i], "; " fast ")") == 0)
            wrong("`" full[i] "`: the contract says otherwise")
    }
    if (has_rate != (rate != "") || has_momentum != (fast != ""))
        wrong("the join is another one")
}

# ---- What an option says ---------------------------------------------------------------------------------------------

function check_option(key, value,    i, found, parts) {
    if (key == "saved") {
        check_saved()
        return
    }
    if (key == "contract") {
        check_contract(value)
        return
    }
    for (i = 1; i <= n_ops; i++) {
        if (routine_of[i] == "step" && key == "clip" && kind[i] == "clip_factor")
            found = found || full[i] ~ ("; " (substr(value, 6) + 0) "\\)")
        if (routine_of[i] == "step" && key == "optimizer" && kind[i] == "rate") {
            match(value, /rate = [0-9.]+/)
            parts[1] = substr(value, RSTART + 7, RLENGTH - 7)
            match(value, /warmup = [0-9]+/)
            parts[2] = substr(value, RSTART + 9, RLENGTH - 9)
            found = found || index(full[i], "; " (parts[1] + 0) ", " (parts[2] + 0) ",") > 0
        }
        if (key == "seed")
            found = found || (kind[i] == "init" && full[i] ~ ("seed " value "( |$)"))
    }
    if (key == "precision")
        found = compute == substr(value, 1, index(value ",", ",") - 1)
    if (key == "batch")
        found = micro == (value ~ / in / ? substr(value, index(value, "in ") + 3, 1) : 1)
    if (!found)
        wrong(key " " value ": the program says otherwise")
}

BEGIN {
    while ((getline line < said) > 0) {
        n = split(line, words, " ")
        if (words[1] == "sync") {
            said_target = words[2]
            said_label = words[3]
            said_segments = words[4]
        } else if (words[1] == "clause") {
            c = ++clause_count
            c_op[c] = words[2]; c_axes[c] = words[3]; c_moment[c] = words[4]; c_into[c] = words[5]
            c_dtype[c] = words[6]; c_wait[c] = words[7]; c_scale[c] = words[8]; c_rest[c] = words[9]
        } else if (words[1] == "place") {
            said_label2 = words[2]; said_label = words[3]; said_mode = words[4]; said_axes = words[5]
        } else if (words[1] == "option") {
            option = words[2]
            option_value = substr(line, length("option " option " ") + 1)
        } else if (words[1] == "left")
            left_out = 1
        else if (words[1] == "model")
            said_model = words[2]
        else if (words[1] == "saved" || words[1] == "loaded")
            said_of_option[words[1]] = substr(line, length(words[1]) + 2)
        else if (words[1] == "copies")
            copies = words[2]
        else if (words[1] == "strategy")
            staged = line ~ /pipeline/
    }
    pipeline = staged ? "t" : "no axis"
    read_program(ARGV[1])
    before = program
    reference_before = reference
    for (i = 1; i <= n_ops; i++)
        times_before[full[i]]++
    delete members
    delete waits
    delete dtype_of
    read_program(ARGV[2])
    if (left_out || (said_target != "" && clause_count == 0)) {
        if (program != before)
            wrong("left out, and something follows from it")
    } else if (said_target != "") {
        check_sync()
        nothing = 1
        for (c = 1; c <= clause_count; c++)
            nothing = nothing && c_op[c] == "none"
        single = 0
        for (a = 1; a <= axis_count; a++)
            single = single || axis_size[axis_name[a]] == 1
        if (program == before && nothing && !single)
            wrong("nothing follows from it")
    } else if (option != "")
        check_option(option, option_value)
    else
        check_place()
}
