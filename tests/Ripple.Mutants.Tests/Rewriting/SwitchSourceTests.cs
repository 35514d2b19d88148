using System.Reflection;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;
using Ripple.Mutants.Rewriting;
using Ripple.Mutants.Running;

namespace Ripple.Mutants.Tests.Rewriting;

/// <summary>Compiles the switch itself, and calls it.</summary>
public sealed class SwitchSourceTests
{
    [Fact]
    public void One_number_is_on_and_the_bodies_that_were_entered_are_told()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("ripple-switch-");
        try
        {
            Type mutantSwitch = Compile();
            Environment.SetEnvironmentVariable(SwitchSource.Variable, "5");
            Environment.SetEnvironmentVariable(SwitchSource.ReachedVariable, folder.FullName);
            Assert.Equal([false, true, false], new[] { 3, 5, 0 }.Select(n => Call(mutantSwitch, "Is", n)));

            Call(mutantSwitch, "Tell", folder.FullName);

            Assert.Equal([0, 3, 5], ReachedMutants.Read(folder.FullName).Order());
        }
        finally
        {
            Environment.SetEnvironmentVariable(SwitchSource.Variable, null);
            Environment.SetEnvironmentVariable(SwitchSource.ReachedVariable, null);
            folder.Delete(recursive: true);
        }
    }

    private static object? Call(Type type, string method, object argument) =>
        type.GetMethod(method, BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)!.Invoke(null, [argument]);

    private static Type Compile()
    {
        MetadataReference[] references =
        [
            .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
                .Select(p => MetadataReference.CreateFromFile(p)),
        ];
        var compilation = CSharpCompilation.Create(
            $"switch{Guid.NewGuid():N}",
            [FileRewriter.Parse(SwitchSource.Text)],
            references,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
        using var stream = new MemoryStream();
        EmitResult result = compilation.Emit(stream, cancellationToken: TestContext.Current.CancellationToken);
        Assert.Empty(result.Diagnostics);
        return Assembly.Load(stream.ToArray()).GetType("Ripple.Mutants.Switch")!;
    }
}
