using Ripple.Mutants.Drawing;
using Ripple.Mutants.Lists;

namespace Ripple.Mutants.Tests.Drawing;

public sealed class MutationOperatorTests
{
    [Theory]
    [InlineData("boundary", "if (a < b) { }", "if (a <= b) { }")]
    [InlineData("equality", "if (a == b) { }", "if (a != b) { }")]
    [InlineData("equality", "if (o is null) { }", "if (o is not null) { }")]
    [InlineData("negation", "if (!Is()) { }", "if (Is()) { }")]
    [InlineData("negation", "if (Is()) { }", "if (!Is()) { }")]
    [InlineData("logic", "if (Is() && a < b) { }", "if (Is() || a < b) { }")]
    [InlineData("arithmetic", "a = a + b;", "a = a - b;")]
    [InlineData("arithmetic", "a += b;", "a -= b;")]
    [InlineData("constant", "a = 8;", "a = 9;")]
    [InlineData("constant", "a = 8;", "a = 7;")]
    [InlineData("call-removed", "Is();", ";")]
    [InlineData("assignment-removed", "a = b;", ";")]
    [InlineData("return", "return true;", "return false;")]
    [InlineData("operand", "if (x.Low < y.Low) { }", "if (x.Low < x.Low) { }")]
    [InlineData("early-out-removed", "if (Is()) { return; }", "if (Is()) { ; }")]
    [InlineData("min-max", "a = Math.Min(a, b);", "a = Math.Max(a, b);")]
    public void Each_operator_finds_what_it_changes(string operatorName, string line, string becomes) =>
        Assert.Contains(Find(line), m => m.Class == operatorName && m.Becomes == becomes);

    [Theory]
    [InlineData("throw new Exception($\"{1 + 2}\");")]
    [InlineData("ArgumentNullException.ThrowIfNull(x);")]
    public void What_is_nobodys_rule_is_not_drawn(string line) => Assert.Empty(Find(line));

    [Fact]
    public void A_line_that_is_there_twice_is_not_drawn() =>
        Assert.DoesNotContain(Find("a += b;\n        a += b;"), m => m.Line == "a += b;");

    private static List<Mutant> Find(string line) =>
        [.. CandidateFinder.Find("src/A.cs", "R", $"class C\n{{\n    void M()\n    {{\n        {line}\n    }}\n}}\n", 1)];
}
