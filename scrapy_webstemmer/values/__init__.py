"""The values that travel between the rooms of the package, in the order of the flow. All are frozen.

Page -> Layout (of Blocks) -> Cluster -> Section -> Pattern -> Article
"""
