using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;
using Ripple.Mutants.Rewriting;

namespace Ripple.Mutants.Tests.Rewriting;

/// <summary>Rewrites small sources, compiles them with a switch of the test's own, and calls them.</summary>
public sealed class FileRewriterTests
{
    private const string Source =
        """
        using System.Collections.Generic;
        public class Thing
        {
            private int _count = 3;
            public bool IsMore(int n) => n > _count;
            public int Count => _count + 1;
            public int this[int i] => i * 2;
            public bool Has(Dictionary<int, int> map, int key)
            {
                if (map.TryGetValue(key, out int value) && value > 5)
                {
                    return value is { } v && v != 7;
                }

                return false;
            }

            public void Add() => _count++;
            public IEnumerable<int> Walk()
            {
                for (int i = 0; i < 3; i++)
                {
                    yield return i;
                }
            }
        }
        """;

    [Theory]
    [InlineData("public bool IsMore(int n) => n > _count;", "public bool IsMore(int n) => n >= _count;")]
    [InlineData("public int Count => _count + 1;", "public int Count => _count - 1;")]
    [InlineData("public int this[int i] => i * 2;", "public int this[int i] => i * 3;")]
    [InlineData("public void Add() => _count++;", "public void Add() => _count--;")]
    [InlineData("for (int i = 0; i < 3; i++)", "for (int i = 0; i <= 3; i++)")]
    [InlineData("if (map.TryGetValue(key, out int value) && value > 5)", "if (map.TryGetValue(key, out int value) && value >= 5)")]
    public void A_mutant_is_there_when_it_is_on_and_only_then(string line, string becomes)
    {
        string[] behaviours = [.. new[] { 0, 1, 2 }.Select(on => (string)Behaviour(Make(Rewrite((line, becomes)), on)))];

        Assert.NotEqual(behaviours[0], behaviours[1]);
        Assert.Equal(behaviours[0], behaviours[2]);
    }

    [Fact]
    public void Several_mutants_of_one_line_and_one_body_are_told_apart()
    {
        string rewritten = Rewrite(
            ("return value is { } v && v != 7;", "return value is { } v && v == 7;"),
            ("return value is { } v && v != 7;", "return value is { } v || true;".Replace("{ } v", "{ }", StringComparison.Ordinal)),
            ("return false;", "return true;"));

        string[] behaviours = [.. new[] { 0, 1, 2, 3 }.Select(on => (string)Behaviour(Make(rewritten, on)))];

        Assert.Equal(4, behaviours.Distinct().Count());
    }

    [Theory]
    [InlineData("private int _count = 3;", "private int _count = 4;")]
    [InlineData("public bool IsMore(int n) => n > _count;", "public bool IsMore(int n) => n > ;")]
    [InlineData("public bool IsMore(int n) => n > _count;", "public bool IsMore(long n) => n > _count;")]
    public void What_is_outside_a_body_or_no_code_is_refused(string line, string becomes)
    {
        string? refused = null;
        string rewritten = FileRewriter.Rewrite(Source, [new(1, TestMutant.Of(line, becomes))], (_, reason) => refused = reason);

        Assert.NotNull(refused);
        Assert.Equal(Source, rewritten);
    }

    [Theory]
    [InlineData("int missing;", "is of a line that is there 0 times and not once")]
    [InlineData("{", "is of a line that is there 5 times and not once")]
    public void A_line_that_is_not_there_once_is_left_out_and_told_and_the_others_stay(string line, string expected)
    {
        var told = new List<(string, string)>();
        NumberedMutant[] mutants =
        [
            new(1, TestMutant.Of(line, "x") with { Id = "gone" }),
            new(2, TestMutant.Of("return false;", "return true;") with { Id = "here" }),
        ];

        string rewritten = FileRewriter.Rewrite(Source, mutants, (m, reason) => told.Add((m.Mutant.Id, reason)));

        Assert.Equal([("gone", expected)], told);
        Assert.NotEqual((string)Behaviour(Make(rewritten, 0)), (string)Behaviour(Make(rewritten, 2)));
    }

    [Fact]
    public void A_compilers_complaint_belongs_to_the_mutant_that_it_is_in()
    {
        string rewritten = Rewrite(
            ("return false;", "return nothing;"), ("public int Count => _count + 1;", "public int Count => _count + 2;"));
        string[] lines = rewritten.Split('\n');

        Assert.Equal(1, FileRewriter.NumberAt(rewritten, Array.FindIndex(lines, l => l.Contains("nothing", StringComparison.Ordinal))));
        Assert.Equal(2, FileRewriter.NumberAt(rewritten, Array.FindIndex(lines, l => l.Contains("_count + 2", StringComparison.Ordinal))));
        Assert.Null(FileRewriter.NumberAt(rewritten, Array.FindIndex(lines, l => l.Contains("yield return", StringComparison.Ordinal))));
    }

    private static string Rewrite(params (string Line, string Becomes)[] changes) => FileRewriter.Rewrite(
        Source,
        [.. changes.Select((c, i) => new NumberedMutant(i + 1, TestMutant.Of(c.Line, c.Becomes)))],
        (_, reason) => Assert.Fail(reason));

    private static string Behaviour(dynamic thing)
    {
        thing.Add();
        var map = new Dictionary<int, int> { [1] = 5, [2] = 6, [3] = 7 };
        return $"{thing.IsMore(4)} {thing.Count} {thing[5]} {string.Join(',', thing.Walk())} "
            + $"{thing.Has(map, 0)} {thing.Has(map, 1)} {thing.Has(map, 2)} {thing.Has(map, 3)}";
    }

    private static dynamic Make(string source, int on)
    {
        string mutantSwitch =
            $"namespace Ripple.Mutants {{ internal static class Switch {{ public static bool Is(int n) => n == {on}; }} }}";
        MetadataReference[] references =
        [
            .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
                .Select(p => MetadataReference.CreateFromFile(p)),
        ];
        var compilation = CSharpCompilation.Create(
            $"small{Guid.NewGuid():N}",
            [FileRewriter.Parse(source), FileRewriter.Parse(mutantSwitch)],
            references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        using var stream = new MemoryStream();
        EmitResult result = compilation.Emit(stream, cancellationToken: TestContext.Current.CancellationToken);
        Assert.DoesNotContain(result.Diagnostics, d => d.Severity == DiagnosticSeverity.Error);
        return Activator.CreateInstance(Assembly.Load(stream.ToArray()).GetType("Thing")!)!;
    }
}
