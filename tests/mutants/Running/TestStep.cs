namespace Ripple.Mutants.Running;

/// <summary>Some tests of one project, run by one process.</summary>
/// <param name="Project">The test project.</param>
/// <param name="Only">Namespaces whose tests run; all when there are none.</param>
/// <param name="But">Namespaces whose tests do not run.</param>
internal sealed record TestStep(string Project, IReadOnlyList<string> Only, IReadOnlyList<string> But)
{
    public IEnumerable<string> Arguments =>
        Only.SelectMany(n => (string[])["--filter-namespace", n]).Concat(But.SelectMany(n => (string[])["--filter-not-namespace", n]));
}
