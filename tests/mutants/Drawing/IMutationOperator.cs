using Microsoft.CodeAnalysis;

namespace Ripple.Mutants.Drawing;

/// <summary>One way to make a program wrong.</summary>
internal interface IMutationOperator
{
    /// <summary>The name of the kind of mistake.</summary>
    string Name { get; }

    /// <summary>How this part of a program may be made wrong; nothing when the operator does not know such parts.</summary>
    IEnumerable<Change> ChangesOf(SyntaxNode node);
}
