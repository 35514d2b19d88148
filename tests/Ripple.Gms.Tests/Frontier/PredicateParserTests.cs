using Ripple.Gms.Frontier.Predicates;

namespace Ripple.Gms.Tests.Frontier;

public sealed class PredicateParserTests
{
    [Theory]
    [InlineData("MIN(applied)", "MIN($ALL.applied)")]
    [InlineData("min( APPLIED.direct )", "MIN($ALL.applied.direct)")]
    [InlineData("KTH_MAX(2, persisted)", "KTH_MAX(2, $ALL.persisted)")]
    [InlineData("MIN($ALL)", "MIN($ALL)")]
    [InlineData("MIN($all.received)", "MIN($ALL)")]
    [InlineData("MIN($ALL.direct)", "MIN($ALL.received.direct)")]
    [InlineData("((MIN(((MAX(($ALL)))))))", "MIN(MAX($ALL))")]
    [InlineData("MIN($ZONE(\"eu-1\"), $ZONE('eu'), $ZONE_us)", "MIN($ZONE(\"eu-1\"), $ZONE_eu, $ZONE_us)")]
    [InlineData("MIN($LABEL('ring','\\'a\\\\\"'))", "MIN($LABEL(\"ring\", \"'a\\\\\\\"\"))")]
    [InlineData("MIN(($MYAZWNODES - $MYWNODES).verified)", "MIN(($MYAZWNODES - $MYWNODE).verified)")]
    [InlineData("MIN(($ALL-$ZONE_a)-($AREA_b-$NODE_c))", "MIN($ALL - $ZONE_a - ($AREA_b - $NODE_c))")]
    [InlineData("KTH_MIN((SIZEOF($ALLWNODES)/2+1), $ALLWNODES)", "KTH_MIN(SIZEOF($ALLWNODES)/2 + 1, $ALLWNODES)")]
    [InlineData("KTH_MIN(8/(4/2)-(1-1)*(2+3), $1, $2.persisted)", "KTH_MIN(8/(4/2) - (1 - 1)*(2 + 3), $1, $2.persisted)")]
    [InlineData("MAX($HOSTS.persisted, $REPLICAS, $HOME_h1)", "MAX($HOSTS.persisted, $REPLICAS, $HOME_h1)")]
    public void Text_has_one_canonical_form_that_parses_to_itself(string text, string canonical)
    {
        Assert.Equal(canonical, Tables.Parse(text).ToString());
        Assert.Equal(canonical, Tables.Parse(canonical).ToString());
        Assert.Equal(text, Tables.Parse(text).Text);
    }

    [Theory]
    [InlineData("", 0, "MIN, MAX")]
    [InlineData("$ALL", 0, "MIN, MAX")]
    [InlineData("AVG($ALL)", 0, "MIN, MAX")]
    [InlineData("MIN", 3, "'('")]
    [InlineData("MIN()", 4, "a set")]
    [InlineData("MIN($ALL", 8, "')'")]
    [InlineData("MIN($ALL))", 9, "the end")]
    [InlineData("MIN($ALL) MAX($ALL)", 10, "the end")]
    [InlineData("MIN(AVG($ALL))", 4, "MIN, MAX")]
    [InlineData("MIN(SIZEOF($ALL))", 4, "SIZEOF counts members")]
    [InlineData("MIN($ALL.)", 9, "a level")]
    [InlineData("MIN($ALL.direct.applied)", 16, "Nothing follows .direct")]
    [InlineData("MIN($ALL.applied.persisted)", 17, "given twice")]
    [InlineData("MIN(($ALL.applied).persisted)", 19, "given twice")]
    [InlineData("MIN($ALL.applied - $ZONE_x)", 8, "parentheses around the whole")]
    [InlineData("MIN($ALL - $ZONE_x.applied)", 18, "parentheses around the whole")]
    [InlineData("MIN($ALL - $WNODE_x)", 11, "one kind")]
    [InlineData("MIN(applied, $ALL)", 4, "$ALL.applied")]
    [InlineData("MIN($ALL, applied)", 10, "$ALL.applied")]
    [InlineData("KTH_MAX($ALL)", 8, "the k")]
    [InlineData("KTH_MAX(2)", 9, "','")]
    [InlineData("KTH_MAX(2, $ALL) + 1", 17, "the end")]
    [InlineData("KTH_MAX(SIZEOF($ALL.applied), $ALL)", 19, "leave the level out")]
    [InlineData("KTH_MAX(1000001, $ALL)", 8, "1000000")]
    [InlineData("KTH_MAX(2x, $ALL)", 8, "'2x'")]
    [InlineData("MIN($)", 4, "'$' begins a set")]
    [InlineData("MIN($0)", 4, "$1, $2")]
    [InlineData("MIN($1a)", 4, "$1, $2")]
    [InlineData("MIN($NOBODY)", 4, "$ALL, $ZONE")]
    [InlineData("MIN($ZONE)", 9, "(\"name\")")]
    [InlineData("MIN($ZONE_)", 4, "is no set")]
    [InlineData("MIN($ZONE(x))", 10, "a quoted name")]
    [InlineData("MIN($ZONE_eu-1)", 13, "a set")]
    [InlineData("MIN($LABEL_a_b)", 4, "$LABEL(\"key\", \"value\")")]
    [InlineData("MIN($LABEL(\"a\"))", 14, "the label's value")]
    [InlineData("MIN($ZONE(\"a))", 10, "no closing")]
    [InlineData("MIN($ZONE(\"\"))", 10, "1 to 256")]
    [InlineData("MIN($ALL; $HOSTS)", 8, "no meaning")]
    public void An_error_says_where_and_what_was_expected(string text, int position, string part)
    {
        PredicateError error = Tables.ParseError(text);
        Assert.Equal(position, error.Position);
        Assert.Contains(part, error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_error_repeats_only_a_little_of_a_long_text()
    {
        string name = new('x', 3_000);
        Assert.All(
            [$"MIN(${name})", $"MIN($ALL.applied.{name})", $"MIN({name}, $ALL, {name}", $"KTH_MAX({new string('9', 3_000)}, $ALL)"], text =>
            Assert.InRange(Tables.ParseError(text).Message.Length, 1, 500));
        Assert.InRange(Tables.BindError(Tables.OfNodes(1), $"MIN($ZONE_{name})").Message.Length, 1, 500);
        Assert.InRange(Tables.BindError(Tables.OfNodes(1), $"MIN($ALL.{name})").Message.Length, 1, 500);
    }

    [Fact]
    public void A_predicate_knows_whether_it_needs_direct_reports()
    {
        Assert.True(Tables.Parse("MAX($ALL, MIN($HOSTS.persisted.direct))").NeedsDirect);
        Assert.False(Tables.Parse("MAX($ALL, MIN($HOSTS.persisted))").NeedsDirect);
    }

    [Fact]
    public void Length_depth_and_size_are_bounded()
    {
        Assert.Contains(
            "characters", Tables.ParseError("MIN($ALL)".PadRight(PredicateLimits.TextCharsMax + 1)).Message, StringComparison.Ordinal);
        Tables.Parse("MIN($ALL)".PadRight(PredicateLimits.TextCharsMax));

        Tables.Parse(Nested(PredicateLimits.DepthMax));
        Assert.Contains("deep", Tables.ParseError(Nested(PredicateLimits.DepthMax + 1)).Message, StringComparison.Ordinal);
        Assert.Contains("deep", Tables.ParseError(new string('(', 4_000)).Message, StringComparison.Ordinal);
        Assert.Contains("deep", Tables.ParseError("MIN(" + new string('(', 4_000)).Message, StringComparison.Ordinal);
        Assert.Contains("deep", Tables.ParseError("KTH_MAX(" + new string('(', 4_000)).Message, StringComparison.Ordinal);

        // A set in an argument is two nodes, the operand and its value; the operator is one.
        Tables.Parse(Wide(511));
        Assert.Contains("More than", Tables.ParseError(Wide(512)).Message, StringComparison.Ordinal);
        Assert.Contains(
            "More than",
            Tables.ParseError($"KTH_MAX({string.Join('+', Enumerable.Repeat("1", 600))}, $ALL)").Message,
            StringComparison.Ordinal);
    }

    private static string Nested(int depth) => string.Concat(Enumerable.Repeat("MIN(", depth)) + "$ALL" + new string(')', depth);

    private static string Wide(int count) => $"MIN({string.Join(',', Enumerable.Repeat("$1", count))})";
}
